#include "targets.h"

#include <string.h>

#include "x86.h"

#define CUF_DEFINE_FILL(TARGET)                     \
    static void fill_##TARGET(cuf_kernels *kernels) \
    {                                               \
        cuf_fill_encode_##TARGET(kernels);          \
        cuf_fill_decode_##TARGET(kernels);          \
        cuf_fill_integer_##TARGET(kernels);         \
        cuf_fill_wide_##TARGET(kernels);            \
        cuf_fill_pack_##TARGET(kernels);            \
    }

#if defined(CUF_HAVE_X86)
#define CUF_DEFINE_SUPPORTS(TARGET)                            \
    static int supports_##TARGET(void)                         \
    {                                                          \
        const cuf_x86_processor here = cuf_x86_here();         \
        return cuf_x86_can_run(&here, CUF_X86_##TARGET);       \
    }
CUF_DEFINE_SUPPORTS(baseline)
CUF_DEFINE_SUPPORTS(x86_v3)
CUF_DEFINE_SUPPORTS(x86_v4)
CUF_DEFINE_SUPPORTS(x86_vbmi)

CUF_DEFINE_FILL(x86_v3)
CUF_DEFINE_FILL(x86_v4)

static void override_x86_v3(cuf_kernels *kernels)
{
    cuf_override_decode_x86_v3(kernels);
    cuf_override_encode_x86_v3(kernels);
    cuf_override_look_up_x86_v3(kernels);
    cuf_override_pack_x86_v3(kernels);
}

static void fill_x86_v3_and_overrides(cuf_kernels *kernels)
{
    fill_x86_v3(kernels);
    override_x86_v3(kernels);
}

static void fill_x86_v4_and_overrides(cuf_kernels *kernels)
{
    fill_x86_v4(kernels);
    override_x86_v3(kernels); /* faster than what compilers make of AVX-512, too */
}

static void fill_x86_vbmi_and_overrides(cuf_kernels *kernels)
{
    fill_x86_v4_and_overrides(kernels);
    cuf_override_encode_x86_vbmi(kernels);
    cuf_override_integer_x86_vbmi(kernels);
    cuf_override_look_up_x86_vbmi(kernels);
    cuf_override_pack_x86_vbmi(kernels);
}
#else
static int supports_baseline(void) { return 1; }
#endif

CUF_DEFINE_FILL(baseline)

const cuf_target cuf_targets[] = {
    {"baseline", supports_baseline, fill_baseline},
#if defined(CUF_HAVE_X86)
    {"x86_v3", supports_x86_v3, fill_x86_v3_and_overrides},
    {"x86_v4", supports_x86_v4, fill_x86_v4_and_overrides},
    {"x86_vbmi", supports_x86_vbmi, fill_x86_vbmi_and_overrides},
#endif
};
const int cuf_target_count = sizeof cuf_targets / sizeof cuf_targets[0];

int cuf_target_choose(const char *cap)
{
    int last = cuf_target_count - 1;
    if (cap) {
        while (last >= 0 && strcmp(cuf_targets[last].name, cap) != 0) {
            last--;
        }
        if (last < 0) {
            return -2;
        }
    }
    while (last >= 0 && !cuf_targets[last].supported()) {
        last--;
    }
    return last;
}

const char *cuf_compiler(void)
{
#if defined(__clang__)
    return "clang " __clang_version__;
#elif defined(__GNUC__)
    return "gcc " __VERSION__;
#else
    return "unknown";
#endif
}
