/* Which NumPy dtype is which element type. Filled once at import, constant afterwards. */
#ifndef CUF_REGISTRY_H
#define CUF_REGISTRY_H

#include "npy_api.h"

/* The dtype instance of an element type: NumPy's or ours; NULL for the foreign ones. Borrowed. */
extern PyArray_Descr *cuf_descrs[CUF_TYPES];
/* The one of ml_dtypes, NULL where its release has none. Borrowed. */
extern PyArray_Descr *cuf_twins[CUF_TYPES];
/* The scalar types of our own dtypes, else NULL. Borrowed. */
extern PyTypeObject *cuf_scalars[CUF_TYPES];

int cuf_registry_add_numpy(void);
int cuf_registry_add_ml_dtypes(void);
int cuf_registry_add_own(cuf_type type, PyArray_Descr *descr, PyTypeObject *scalar);

/* Element types plus one by NumPy's type number, a user type's counted from NPY_USERDEF. */
extern unsigned char cuf_builtin_types[NPY_USERDEF];
extern unsigned char cuf_user_types[NPY_VSTRING - NPY_USERDEF];

/* The element type of a type number, or CUF_NO_TYPE. Inline: loops of one element feel it. */
static inline cuf_type cuf_type_of_number(int type_num)
{
    int found = 0;
    if (type_num >= 0 && type_num < NPY_USERDEF) {
        found = cuf_builtin_types[type_num];
    }
    else if (type_num >= NPY_USERDEF && type_num < NPY_VSTRING) {
        found = cuf_user_types[type_num - NPY_USERDEF];
    }
    return found ? (cuf_type)(found - 1) : CUF_NO_TYPE;
}

/* The element type of a dtype in any byte order, or CUF_NO_TYPE. */
static inline cuf_type cuf_type_of(const PyArray_Descr *descr)
{
    return cuf_type_of_number(descr->type_num);
}

/* The same for a DType class. */
static inline cuf_type cuf_type_of_class(const PyArray_DTypeMeta *dtype)
{
    return cuf_type_of_number(dtype->type_num);
}

/* The own type of a scalar's class, or CUF_NO_TYPE. */
cuf_type cuf_type_of_scalar(const PyTypeObject *type);

#endif
