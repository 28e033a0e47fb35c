# Stages of .ci/run about versions of Python, NumPy and ml_dtypes; read by it.

# What each Python that may be there is tried with: NumPy and ml_dtypes, "newest" for the newest that
# pip finds. NumPy 2.0 has wheels for Python up to 3.12, 2.2 up to 3.13. All of NumPy's releases are
# compared by all tests in the stages test, numpy-2.0 and newest; here are the pairs between.
matrix=(
    "3.11 2.0.2 0.5.0"
    "3.11 2.2.* newest"
    "3.11 2.4.* newest"
    "3.12 2.0.2 newest"
    "3.12 newest newest"
    "3.13 2.2.* newest"
    "3.13 newest newest"
    "3.14 newest newest"
)

# Of each part of the package what knows most of NumPy.
matrix_tests=(
    tests/test_import.py tests/test_life.py tests/test_without_ml_dtypes.py tests/test_docstrings.py
    tests/behaviour/test_matrix.py tests/dtypes tests/cases tests/operators tests/packing/test_casts.py
    tests/exactness/test_anchors.py tests/exactness/test_ml_dtypes.py tests/text/test_containers.py
)

# Prints the path of a Python of this version (3.13), of the path or of pyenv.
python_of() {
    local candidate
    for candidate in "$python" "python$1" "$HOME"/.pyenv/versions/"$1".*/bin/python3; do
        if [ "$("$candidate" -c 'import ensurepip, sys, venv; print("%d.%d" % sys.version_info[:2])' \
            2>/dev/null)" = "$1" ]; then
            echo "$candidate"
            return
        fi
    done
}

# A wheel for each Python; $wheel.
wheel_of() {
    local folder=$work/wheel-$1
    if [ ! -d "$folder" ]; then
        "$2" -m venv "$folder-builder"
        "$folder-builder/bin/python" -m pip wheel --quiet --no-deps --wheel-dir "$folder" .
    fi
    wheel=$(echo "$folder"/castufunc-*.whl)
}

wanted() {
    if [ "$2" = newest ]; then echo "$1"; else echo "$1==$2"; fi
}

stage_matrix() {
    local row version numpy ml_dtypes found wheel skipped=()
    for row in "${matrix[@]}"; do
        read -r version numpy ml_dtypes <<<"$row"
        found=$(python_of "$version")
        if [ -z "$found" ]; then
            skipped+=("Python $version, NumPy $numpy: there is no such Python")
            continue
        fi
        echo "-- Python $version, NumPy $numpy, ml_dtypes $ml_dtypes"
        wheel_of "$version" "$found"
        rm -rf "$work/matrix"
        "$found" -m venv "$work/matrix"
        # No building of NumPy: a pair without wheels fails here, and has to leave the list.
        "$work/matrix/bin/python" -m pip install --quiet --only-binary numpy,ml_dtypes \
            "${wheel}[test]" "$(wanted numpy "$numpy")" "$(wanted ml_dtypes "$ml_dtypes")"
        "$work/matrix/bin/python" -c 'import castufunc, ml_dtypes, numpy, platform
print(platform.python_version(), numpy.__version__, ml_dtypes.__version__)'
        # Python's own checks of memory, references and files, and every warning an error.
        PYTHONMALLOC=debug "$work/matrix/bin/python" -X dev -W error -m pytest -q "${matrix_tests[@]}"
    done
    if [ ${#skipped[@]} -gt 0 ]; then
        printf -- '-- not tried: %s\n' "${skipped[@]}"
    fi
}
