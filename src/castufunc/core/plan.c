#include "plan.h"

#include <string.h>

#include "targets.h"

/* A way through a hub: into it by `into`, out of it as from a source of type `as`. */
typedef struct {
    cuf_column into;
    cuf_type as;
} hub;

/* Into integers a float goes exactly or to 64 bits; into the rest rounded to odd, or exactly. */
static const hub integer_hubs[] = {{CUF_TO_HUB32, CUF_FLOAT32}, {CUF_TO_INT64, CUF_INT64}};
static const hub float_hubs[] = {
    {CUF_TO_HUB32, CUF_FLOAT32}, {CUF_TO_HUB64, CUF_FLOAT64}, {CUF_TO_FLOAT64, CUF_FLOAT64}};

/*
 * Table bytes for one source byte over all columns whose results have at most 8 bytes. A long
 * double has so few on some machines.
 */
enum {
    WIDEST_ENTRY = 8,
    TABLE_WIDTH = 0
#define CUF_COLUMN(ID, MODE, SAT, ROUND) +1
#define CUF_BOOL(ID, name, owner, onnx, storage) +storage * (0 CUF_COLUMNS_PLAIN(CUF_COLUMN, ID))
#define CUF_INT(ID, name, owner, onnx, storage, ...) \
    +storage * (0 CUF_COLUMNS_PLAIN(CUF_COLUMN, ID))
#define CUF_FLOAT(ID, name, owner, onnx, storage, bits, sign, exp, man, bias, special, modes, twin) \
    +storage * (0 CUF_COLUMNS_##modes(CUF_COLUMN, ID))
#define CUF_EXTENDED(ID, name, owner, onnx, storage) \
    +(storage <= WIDEST_ENTRY ? storage * (0 CUF_COLUMNS_PLAIN(CUF_COLUMN, ID)) : 0)
#include "formats.def"
#undef CUF_COLUMN
    ,
    ONE_BYTE_TYPES = 0
#define CUF_BOOL(ID, name, owner, onnx, storage) +(storage == 1)
#define CUF_INT(ID, name, owner, onnx, storage, ...) +(storage == 1)
#define CUF_FLOAT(ID, name, owner, onnx, storage, ...) +(storage == 1)
#include "formats.def"
};

static cuf_kernels kernels;
static cuf_plan plans[CUF_TYPES][CUF_PUBLIC_COLUMNS];
static uint64_t tables[ONE_BYTE_TYPES * TABLE_WIDTH * 256 / sizeof(uint64_t)];

void cuf_kernels_set(cuf_kernels *k, cuf_type from, cuf_type to, cuf_kernel *kernel)
{
    for (int c = 0; c < CUF_PUBLIC_COLUMNS; c++) {
        if (cuf_column_infos[c].type == to) {
            k->at[from][c] = kernel;
        }
    }
}

static void compose(cuf_plan *plan, cuf_type from, int column)
{
    const cuf_format *target = &cuf_formats[cuf_column_infos[column].type];
    const hub *hubs = target->kind == CUF_KIND_INT ? integer_hubs : float_hubs;
    const int count = target->kind == CUF_KIND_INT ? 2 : 3;

    plan->from_size = cuf_formats[from].storage;
    plan->to_size = target->storage;
    plan->first = kernels.at[from][column];
    plan->independent = kernels.independent[from][column];
    for (int h = 0; h < count && !plan->first; h++) {
        if (kernels.at[from][hubs[h].into] && kernels.at[hubs[h].as][column]) {
            plan->first = kernels.at[from][hubs[h].into];
            plan->second = kernels.at[hubs[h].as][column];
            plan->hub_size = cuf_formats[hubs[h].as].storage;
        }
    }
}

/* Copies, and integers among themselves. */
static int only_moves_bits(int from, int column)
{
    const int to = cuf_column_infos[column].type;
    return from == to || (cuf_formats[from].kind != CUF_KIND_FLOAT &&
                          cuf_formats[to].kind != CUF_KIND_FLOAT);
}

/* Fills the table and returns what is left of the room behind it; NULL: the room is too small. */
static char *tabulate(cuf_plan *plan, int keeps_kernel, char *table)
{
    const char *end = (const char *)tables + sizeof tables;
    if ((size_t)(end - table) < 256 * plan->to_size) {
        return NULL;
    }
    uint8_t codes[256];
    for (int c = 0; c < 256; c++) {
        codes[c] = (uint8_t)c;
    }
    cuf_run(plan, codes, 1, table, (ptrdiff_t)plan->to_size, 256);
    plan->table = table;
    plan->look_up = kernels.look_up_for ? kernels.look_up_for(table, plan->to_size) : NULL;
    if (plan->second || (plan->look_up && !keeps_kernel)) {
        /* A look-up beats the way through a hub, and if it is a kernel of its own all codecs. */
        plan->first = plan->second = NULL;
    }
    return table + 256 * plan->to_size;
}

int cuf_init(int target)
{
    /* Nothing is left of an earlier target: tests try them one after the other. */
    memset(&kernels, 0, sizeof kernels);
    memset(plans, 0, sizeof plans);
    cuf_targets[target].fill(&kernels);
    cuf_fill_extended(&kernels);
    char *table = (char *)tables;
    /* Wide results first, so that each table is aligned to its elements. */
    for (int from = 0; from < CUF_TYPES; from++) {
        for (int column = 0; column < CUF_PUBLIC_COLUMNS; column++) {
            compose(&plans[from][column], (cuf_type)from, column);
        }
    }
    for (size_t size = WIDEST_ENTRY; size >= 1; size /= 2) {
        for (int from = 0; from < CUF_TYPES; from++) {
            for (int column = 0; column < CUF_PUBLIC_COLUMNS; column++) {
                cuf_plan *plan = &plans[from][column];
                if (plan->from_size == 1 && plan->to_size == size && plan->first) {
                    table = tabulate(plan, only_moves_bits(from, column), table);
                    if (table == NULL) {
                        return -1;
                    }
                }
            }
        }
    }
    return table == (char *)tables + sizeof tables ? 0 : -1;
}

const cuf_kernels *cuf_kernels_in_use(void) { return &kernels; }

const cuf_plan *cuf_plan_of(cuf_type from, cuf_column column)
{
    const cuf_plan *plan = &plans[from][column];
    return plan->first || plan->table ? plan : NULL;
}

double cuf_number_of(cuf_type type, const void *code)
{
    double number = 0;
    const cuf_plan *plan = &plans[type][CUF_TO_FLOAT64];
    if (plan->table) {
        return ((const double *)plan->table)[*(const uint8_t *)code];
    }
    cuf_run(plan, code, 0, &number, 0, 1);
    return number;
}
