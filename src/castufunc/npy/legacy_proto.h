/* A DType of the new API that NumPy also knows as a legacy user type. */
#ifndef CUF_LEGACY_PROTO_H
#define CUF_LEGACY_PROTO_H

#include "npy_api.h"

/*
 * PyArrayInitDTypeMeta_FromSpec for a DType whose descriptor is laid out by `proto`.
 *
 * `spec->slots[0]` must be left free for the proto's slot. NumPy 2.5 understands that slot
 * (NPY_DT_legacy_descriptor_proto); for 2.0 to 2.4 the legacy registration and the new one are
 * made apart and tied together here. The proto, its functions and the DType live for ever.
 */
int cuf_init_dtype_with_proto(PyArray_DTypeMeta *dtype, PyArrayDTypeMeta_Spec *spec,
                              PyArray_DescrProto *proto);

#endif
