/* The driver: one loop for every layout, over the kernels of a plan. */
#include <string.h>

#include "fpenv.h"
#include "plan.h"

/* Elements converted at a time where they must pass through a buffer: all of it stays in L1. */
enum { CHUNK = 256, WIDEST = sizeof(long double) };

typedef struct {
    const char *src;
    ptrdiff_t src_stride;
    char *dst;
    ptrdiff_t dst_stride;
} operands;

/*
 * The statements for each of n elements, at o.src + from and o.dst + to. By fours: a loop of so few
 * instructions may take twice as long only for where it lies in memory. The offsets are added up:
 * compilers leave the multiplication by an unknown stride in the loop.
 */
#define CUF_STEP(...) { __VA_ARGS__ from += o.src_stride; to += o.dst_stride; }
#define CUF_EACH(...)                           \
    for (; n >= 4; n -= 4) {                    \
        CUF_STEP(__VA_ARGS__)                   \
        CUF_STEP(__VA_ARGS__)                   \
        CUF_STEP(__VA_ARGS__)                   \
        CUF_STEP(__VA_ARGS__)                   \
    }                                           \
    for (; n; n--) CUF_STEP(__VA_ARGS__)

#define CUF_BY_SIZE(SIZE, LOOP)                 \
    switch (SIZE) {                             \
    case 1: LOOP(1); break;                     \
    case 2: LOOP(2); break;                     \
    case 4: LOOP(4); break;                     \
    case 8: LOOP(8); break;                     \
    default: LOOP(SIZE);                        \
    }

static void copy(operands o, size_t size, size_t n)
{
    ptrdiff_t from = 0, to = 0;
#define CUF_COPY(S) CUF_EACH(memcpy(o.dst + to, o.src + from, (S));)
    CUF_BY_SIZE(size, CUF_COPY)
}

static void look_up(const char *table, operands o, size_t size, size_t n)
{
    ptrdiff_t from = 0, to = 0;
#define CUF_LOOK_UP(S)                                                   \
    CUF_EACH(const size_t code = *(const unsigned char *)(o.src + from); \
             memcpy(o.dst + to, table + code * (S), (S));)
    CUF_BY_SIZE(size, CUF_LOOK_UP)
}

static void contiguous(const cuf_plan *plan, const char *src, char *dst, size_t n)
{
    if (!plan->second) {
        plan->first(src, dst, n);
        return;
    }
    uint64_t hub[CHUNK];
    for (size_t done = 0; done < n; done += CHUNK) {
        size_t m = n - done < CHUNK ? n - done : CHUNK;
        plan->first(src + done * plan->from_size, hub, m);
        plan->second(hub, dst + done * plan->to_size, m);
    }
}

/* Through a buffer on either side that is not contiguous; `in_place` on both. */
static void buffered(const cuf_plan *plan, operands o, int in_place, size_t n)
{
    char in[CHUNK * WIDEST], out[CHUNK * WIDEST];
    const int take = in_place || o.src_stride != (ptrdiff_t)plan->from_size;
    const int put = in_place || o.dst_stride != (ptrdiff_t)plan->to_size;
    for (size_t done = 0; done < n; done += CHUNK) {
        size_t m = n - done < CHUNK ? n - done : CHUNK;
        const char *src = o.src + (ptrdiff_t)done * o.src_stride;
        char *dst = o.dst + (ptrdiff_t)done * o.dst_stride;
        if (take) {
            copy((operands){src, o.src_stride, in, (ptrdiff_t)plan->from_size}, plan->from_size, m);
        }
        contiguous(plan, take ? in : src, put ? out : dst, m);
        if (put) {
            copy((operands){out, (ptrdiff_t)plan->to_size, dst, o.dst_stride}, plan->to_size, m);
        }
    }
}

static void run(const cuf_plan *plan, operands o, int packed, int in_place, size_t n)
{
    if (packed) {
        contiguous(plan, o.src, o.dst, n);
    }
    else {
        buffered(plan, o, in_place, n);
    }
}

/* Element for element the same memory. */
static int same_elements(const cuf_plan *plan, const void *src, ptrdiff_t src_stride,
                         const void *dst, ptrdiff_t dst_stride)
{
    return src == dst && src_stride == dst_stride && plan->from_size == plan->to_size;
}

int cuf_overlap(const cuf_plan *plan, const void *src, ptrdiff_t src_stride, const void *dst,
                ptrdiff_t dst_stride, size_t n)
{
    if (n <= 1 || same_elements(plan, src, src_stride, dst, dst_stride)) {
        return 0; /* an element is read before its result is written */
    }
    ptrdiff_t src_reach = (ptrdiff_t)(n - 1) * src_stride;
    ptrdiff_t dst_reach = (ptrdiff_t)(n - 1) * dst_stride;
    uintptr_t from = (uintptr_t)src, to = (uintptr_t)dst;
    uintptr_t src_low = from + (uintptr_t)(src_reach < 0 ? src_reach : 0);
    uintptr_t src_end = from + (uintptr_t)(src_reach > 0 ? src_reach : 0) + plan->from_size;
    uintptr_t dst_low = to + (uintptr_t)(dst_reach < 0 ? dst_reach : 0);
    uintptr_t dst_end = to + (uintptr_t)(dst_reach > 0 ? dst_reach : 0) + plan->to_size;
    return src_low < dst_end && dst_low < src_end;
}

void cuf_run(const cuf_plan *plan, const void *src, ptrdiff_t src_stride, void *dst,
             ptrdiff_t dst_stride, size_t n)
{
    if (n == 0) {
        return;
    }
    if (n == 1) {
        src_stride = (ptrdiff_t)plan->from_size;
        dst_stride = (ptrdiff_t)plan->to_size;
    }
    operands o = {src, src_stride, dst, dst_stride};
    const int in_place = same_elements(plan, src, src_stride, dst, dst_stride);
    const int packed = src_stride == (ptrdiff_t)plan->from_size &&
                       dst_stride == (ptrdiff_t)plan->to_size && !in_place;
    if (plan->table && !(packed && plan->first)) {
        /* Bringing the table into registers pays from some elements on. */
        if (packed && plan->look_up && n >= 64) {
            plan->look_up(plan->table, src, dst, n);
        }
        else {
            look_up(plan->table, o, plan->to_size, n);
        }
        return;
    }
    if (plan->independent) {
        run(plan, o, packed, in_place, n);
        return;
    }
    cuf_fpenv env = cuf_fpenv_enter();
    run(plan, o, packed, in_place, n);
    cuf_fpenv_leave(env);
}
