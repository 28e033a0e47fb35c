/*
 * The floating-point environment around a run of kernels: round to nearest, subnormals kept, all
 * exceptions masked, whatever the caller has set; and the caller's settings and flags afterwards.
 *
 * cuf_fpenv_read, _write and _make (rounding: nearest, down, up, zero) are for the tests.
 */
#ifndef CUF_FPENV_H
#define CUF_FPENV_H

#include <stdint.h>

#include "bits.h"

#if defined(__x86_64__) || defined(_M_X64)
#include <xmmintrin.h>

typedef uint32_t cuf_fpenv;
#define CUF_FPENV_DEFAULT 0x1f80u /* the six exception masks */
#define CUF_FPENV_FLAGS 0x003fu

CUF_INLINE cuf_fpenv cuf_fpenv_enter(void)
{
    cuf_fpenv env = _mm_getcsr();
    if ((env & ~CUF_FPENV_FLAGS) != CUF_FPENV_DEFAULT) {
        _mm_setcsr(CUF_FPENV_DEFAULT | (env & CUF_FPENV_FLAGS));
    }
    return env;
}

CUF_INLINE void cuf_fpenv_leave(cuf_fpenv env)
{
    if (_mm_getcsr() != env) {
        _mm_setcsr(env);
    }
}

CUF_INLINE uint64_t cuf_fpenv_read(void) { return _mm_getcsr(); }
CUF_INLINE void cuf_fpenv_write(uint64_t env) { _mm_setcsr((uint32_t)env); }

CUF_INLINE uint64_t cuf_fpenv_make(int flush, int denormals_zero, int rounding)
{
    static const uint32_t modes[4] = {0x0000, 0x2000, 0x4000, 0x6000};
    return CUF_FPENV_DEFAULT | (flush ? 0x8000u : 0) | (denormals_zero ? 0x0040u : 0) |
           modes[rounding];
}

#elif defined(__aarch64__) && (defined(__GNUC__) || defined(__clang__))

/* FPCR in the upper half, FPSR in the lower. */
typedef uint64_t cuf_fpenv;

CUF_INLINE uint64_t cuf_fpenv_read(void)
{
    uint64_t control, status;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    __asm__ volatile("mrs %0, fpsr" : "=r"(status));
    return control << 32 | (status & 0xffffffffu);
}

CUF_INLINE void cuf_fpenv_write(uint64_t env)
{
    uint64_t control = env >> 32, status = env & 0xffffffffu;
    __asm__ volatile("msr fpcr, %0" : : "r"(control));
    __asm__ volatile("msr fpsr, %0" : : "r"(status));
}

CUF_INLINE cuf_fpenv cuf_fpenv_enter(void)
{
    cuf_fpenv env = cuf_fpenv_read();
    if (env >> 32) {
        cuf_fpenv_write(env & 0xffffffffu);
    }
    return env;
}

CUF_INLINE void cuf_fpenv_leave(cuf_fpenv env)
{
    if (cuf_fpenv_read() != env) {
        cuf_fpenv_write(env);
    }
}

CUF_INLINE uint64_t cuf_fpenv_make(int flush, int denormals_zero, int rounding)
{
    /* RMode: nearest, plus, minus, zero; FZ flushes inputs and outputs alike. */
    static const uint64_t modes[4] = {0, 2, 1, 3};
    return (uint64_t)((flush || denormals_zero) ? 1u << 24 : 0) << 32 | modes[rounding] << 54;
}

#else
#include <fenv.h>

typedef fenv_t cuf_fpenv;

CUF_INLINE cuf_fpenv cuf_fpenv_enter(void)
{
    fenv_t env;
    fegetenv(&env);
    fesetenv(FE_DFL_ENV);
    return env;
}

CUF_INLINE void cuf_fpenv_leave(cuf_fpenv env) { fesetenv(&env); }

/* Of the state only the flags, in the upper half, and the rounding mode are portable. */
CUF_INLINE uint64_t cuf_fpenv_read(void)
{
    return (uint64_t)(uint32_t)fetestexcept(FE_ALL_EXCEPT) << 32 | (uint32_t)fegetround();
}

CUF_INLINE void cuf_fpenv_write(uint64_t env)
{
    feclearexcept(FE_ALL_EXCEPT);
    feraiseexcept((int)(uint32_t)(env >> 32));
    fesetround((int)(uint32_t)env);
}

CUF_INLINE uint64_t cuf_fpenv_make(int flush, int denormals_zero, int rounding)
{
    static const int modes[4] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
    (void)flush, (void)denormals_zero;
    return (uint32_t)modes[rounding];
}

#endif

#endif
