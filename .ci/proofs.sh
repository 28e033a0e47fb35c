# Stages of .ci/run that look for undefined behaviour, races and unforeseen input. Sourced by it.

sanitizers=tests/sanitizers
# A sanitizer sees more of the C library's plain functions than of the checked ones.
plain='-O1 -g1 -fno-omit-frame-pointer -U_FORTIFY_SOURCE'

# Puts meson and what it needs in PATH. (`builder` is the name of what the wheel is made in.)
with_builder() {
    environment meson meson meson-python ninja 'cython>=3.1' numpy
}

# Builds core/ alone with clang, in the folder $1, with the options $2 for the compiler and the linker,
# $3 for the linker, $4 for it too if it links C++, and any others for meson.
core_alone() {
    CC=clang CXX=clang++ meson setup "$work/$1" -Dpython=false -Db_lundef=false \
        "-Dc_args=$plain $2" "-Dcpp_args=$plain $2" \
        "-Dc_link_args=$2 $3" "-Dcpp_link_args=$2 $3 ${4:-}" "${@:5}" >"$work/$1.log" || cat "$work/$1.log"
    ninja -C "$work/$1" --quiet
}

# Runs the programs of tests/cross, built in the folder $1, on each target; the bits are the same.
run_core() {
    local programs=$work/$1/tests/cross target
    for target in $("$programs/digest" --targets); do
        echo "-- core/, $1: $target"
        "$programs/digest" "$target" >"$work/digest.$target"
        cmp "$work/digest.$target" "$work/digest.baseline"
        "$programs/facts" "$target"
    done
}

# -mlong-double-64, with gcc, is in tests/cross/test_core.py.
sanitize_core() {
    with_builder
    local ignored=$checkout/$sanitizers/integer_ignore.txt
    core_alone bits "-fsanitize=address,undefined,integer,implicit-conversion \
        -fno-sanitize-recover=all -fsanitize-ignorelist=$ignored" ''
    run_core bits
    # What the C++ library writes, which knows nothing of MemorySanitizer.
    local symbol wrap=-Wl memory='-fsanitize=memory -fsanitize-memory-track-origins'
    for symbol in PcS_dSt12chars_format PcS_fSt12chars_format PcS_dSt12chars_formati; do
        wrap+=,--wrap=_ZSt8to_chars$symbol
    done
    clang++ -std=c++17 -O1 $memory -c "$sanitizers/memory_charconv.cpp" -o "$work/charconv.o"
    core_alone memory "$memory" "$wrap" "$work/charconv.o"
    run_core memory
}

# Puts the environment $1 in PATH, whose castufunc is built by the compiler $2 with the sanitizers
# $3 and the options $4 for the linker.
sanitized() {
    with_builder
    if [ ! -d "$work/$1-wheel" ]; then
        CC=$2 CXX=${2/gcc/g}++ python -m pip wheel --quiet --no-build-isolation --no-deps \
            --wheel-dir "$work/$1-wheel" . \
            --config-settings=setup-args=-Dbuildtype=debugoptimized \
            --config-settings=setup-args=-Db_sanitize="$3" \
            --config-settings=setup-args=-Db_lundef=false \
            --config-settings=setup-args=-Dc_args="$plain" \
            --config-settings=setup-args=-Dcpp_args="$plain" \
            --config-settings=setup-args=-Dc_link_args="${4:-}" \
            --config-settings=setup-args=-Dcpp_link_args="${4:-}"
    fi
    environment "$1" "$(echo "$work/$1-wheel"/*.whl)[test]"
}

# The extension with AddressSanitizer and UndefinedBehaviorSanitizer. By clang: gcc's does not see
# what masked loads and stores of AVX-512 do.
sanitized_memory() {
    sanitized memory-safe clang address,undefined -shared-libasan
}

# By gcc, whose library of ThreadSanitizer can be loaded before Python.
sanitized_threads() {
    sanitized threads gcc thread
}

# Runs a command with a sanitizer's library loaded before Python.
preloaded() {
    local library
    case $1 in
        address) library=$(clang -print-file-name=libclang_rt.asan-$(uname -m).so) ;;
        thread) library=$(gcc -print-file-name=libtsan.so) ;;
    esac
    shift
    # Leaks: CPython itself leaves memory behind at its end. The C++ library: sanitizers want to see
    # it before anything throws.
    env LD_PRELOAD="$library $(gcc -print-file-name=libstdc++.so.6)" PYTHONMALLOC=malloc \
        ASAN_OPTIONS=detect_leaks=0:strict_string_checks=1:abort_on_error=1 \
        UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1:abort_on_error=1 \
        TSAN_OPTIONS="suppressions=$checkout/$sanitizers/thread.txt:die_after_fork=0" \
        "$@"
}

# pytest under AddressSanitizer and UndefinedBehaviorSanitizer. Without what measures time or
# memory, which are the sanitizer's there, and what looks at the binary.
pytest_sanitized() {
    preloaded address pytest --capture=sys \
        --ignore=tests/kernels/test_overrides.py --ignore=tests/security/test_binary.py \
        --ignore=tests/soak/test_growth.py "$@"
}

on_each_lesser_target() {
    local target
    for target in $(python -c 'import castufunc._core as c; print(*c._targets()[:-1])'); do
        echo "-- the extension: $target"
        CASTUFUNC_TARGET=$target pytest_sanitized tests/exactness tests/packing "$@"
    done
}

sanitize_threads() {
    sanitized_threads
    echo "-- the extension: threads"
    # The tests in which threads write to the same `out` are left out: that is the caller's race.
    preloaded thread pytest --capture=sys -k 'not same_out' "$@" \
        tests/exactness/test_threads.py tests/packing/test_threads.py tests/text/test_threads.py \
        tests/soak/test_threads.py tests/operators/test_workers.py
}

# The command must fail and its last words must have those of $1: a sanitizer that is not awake would
# let everything pass.
must_find() {
    local words=$1 said
    shift
    if said=$("$@" 2>&1) || ! grep -q "$words" <<<"$said"; then
        echo "no '$words' is seen where there is one: $said" >&2
        exit 1
    fi
}

# At most ten minutes on two cores: of each test function a few cases.
stage_sanitize() {
    clang_packages
    sanitize_core
    sanitized_memory
    must_find heap-buffer-overflow preloaded address python "$sanitizers/beyond.py"
    echo "-- the extension"
    pytest_sanitized --sample=15 tests/{exactness,packing,text,operators,dtypes,kernels,soak}
    on_each_lesser_target --sample=40
    sanitize_threads
    must_find 'data race' preloaded thread python "$sanitizers/same_out.py"
}

stage_sanitize-all() {
    clang_packages
    sanitized_memory
    pytest_sanitized
    on_each_lesser_target
    sanitize_threads
}

# The fuzzers over core/ for $1 seconds each, from the corpus in the tree and without adding to it;
# then those over the package.
fuzz() {
    clang_packages
    with_builder
    local options='-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all'
    core_alone fuzzers "$options" -fsanitize=address,undefined '' -Dfuzz=true
    local name
    for name in plans text; do
        echo "-- $name"
        mkdir "$work/corpus-$name"
        (cd "$work" && fuzzers/tests/fuzz/"fuzz_$name" -max_total_time="$1" -max_len=2048 \
            -print_final_stats=1 -verbosity=1 "corpus-$name" "$checkout/tests/fuzz/corpus/$name" \
            2>&1 | tail -n 25)
    done
}

stage_fuzz() {
    fuzz 60
    wheel
    environment onnx "${wheel}[test,onnx]" onnx==1.23.2 safetensors
    cd tests
    python -W error -m fuzz.layouts --operations "${1:-200000}"
}
