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

/* The element type of a dtype in any byte order, or CUF_NO_TYPE. Never fails. */
cuf_type cuf_type_of(const PyArray_Descr *descr);
/* The same for a DType class. */
cuf_type cuf_type_of_class(const PyArray_DTypeMeta *dtype);
/* The own type of a scalar's class, or CUF_NO_TYPE. */
cuf_type cuf_type_of_scalar(const PyTypeObject *type);

/* Whether the dtype is our own, and not NumPy's or ml_dtypes'. */
int cuf_is_own(const PyArray_Descr *descr);

#endif
