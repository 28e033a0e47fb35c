/*
 * Pages of results that lie side by side, found by a hash table with open addressing that is at
 * most half full. Results far from each other have a page each.
 */
#include "partials.h"

enum { PAGE = 64 };

typedef struct {
    cuf_partial partial; /* first: a pointer to it is one to the entry */
    uint16_t code;       /* that was written last */
    uint16_t known;
} entry;

typedef struct {
    uintptr_t number; /* the address over the bytes of a page */
    entry entries[PAGE];
} page;

typedef struct {
    NpyAuxData base;
    size_t count, capacity; /* a power of two, or 0 */
    page **pages;
    page *last; /* found */
} table;

static void table_free(NpyAuxData *partials)
{
    table *t = (table *)partials;
    for (size_t i = 0; i < t->capacity; i++) {
        PyMem_RawFree(t->pages[i]);
    }
    PyMem_RawFree(t->pages);
    PyMem_RawFree(t);
}

/* For another call, which has its own results. */
static NpyAuxData *table_clone(NpyAuxData *partials)
{
    (void)partials;
    return cuf_partials_new();
}

NpyAuxData *cuf_partials_new(void)
{
    table *t = PyMem_RawCalloc(1, sizeof *t);
    if (t) {
        t->base.free = table_free;
        t->base.clone = table_clone;
    }
    return (NpyAuxData *)t;
}

/* Where a page is, or belongs. */
static page **place_of(page **pages, size_t capacity, uintptr_t number)
{
    size_t i = (size_t)((uint64_t)number * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (capacity - 1);
    while (pages[i] && pages[i]->number != number) {
        i = (i + 1) & (capacity - 1);
    }
    return &pages[i];
}

static int grow(table *t)
{
    const size_t capacity = t->capacity ? 2 * t->capacity : 16;
    page **pages = PyMem_RawCalloc(capacity, sizeof(page *));
    if (pages == NULL) {
        return -1;
    }
    for (size_t i = 0; i < t->capacity; i++) {
        if (t->pages[i]) {
            *place_of(pages, capacity, t->pages[i]->number) = t->pages[i];
        }
    }
    PyMem_RawFree(t->pages);
    t->pages = pages;
    t->capacity = capacity;
    return 0;
}

static page *page_of(table *t, uintptr_t number)
{
    if (t->last && t->last->number == number) {
        return t->last;
    }
    if (2 * (t->count + 1) > t->capacity && grow(t) < 0) {
        return NULL;
    }
    page **place = place_of(t->pages, t->capacity, number);
    if (*place == NULL) {
        *place = PyMem_RawCalloc(1, sizeof(page));
        if (*place == NULL) {
            return NULL;
        }
        (*place)->number = number;
        t->count++;
    }
    t->last = *place;
    return t->last;
}

cuf_partial *cuf_partial_of(NpyAuxData *partials, const char *address, size_t size, unsigned code,
                            cuf_partial number)
{
    const uintptr_t index = (uintptr_t)address / size;
    page *found = page_of((table *)partials, index / PAGE);
    if (found == NULL) {
        return NULL;
    }
    entry *e = &found->entries[index % PAGE];
    if (!e->known || e->code != code) {
        *e = (entry){number, (uint16_t)code, 1};
    }
    return &e->partial;
}

void cuf_partial_was_written(cuf_partial *partial, unsigned code)
{
    ((entry *)partial)->code = (uint16_t)code;
}
