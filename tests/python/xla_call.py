# SPDX-License-Identifier: Apache-2.0
"""Calls of functions of XLA's foreign function interface without XLA: the structures of xla/ffi/api/c_api.h, version 0.3."""

import ctypes
from ctypes import POINTER, Structure, c_char_p, c_double, c_int, c_int32, c_int64, c_size_t, c_void_p

DTYPES = {"bool": 1, "int32": 4, "float32": 11, "float64": 12}
EXECUTE = 3  # stage of a call


def structure(name, *members):
    """A structure that begins with its size and extensions, as those of the interface do."""
    return type(name, (Structure,), {"_fields_": [("struct_size", c_size_t), ("extension", c_void_p), *members]})


List = structure("List", ("size", c_int64), ("types", POINTER(c_int)), ("items", POINTER(c_void_p)))
Named = structure(
    "Named", ("size", c_int64), ("types", POINTER(c_int)), ("names", POINTER(c_void_p)), ("items", POINTER(c_void_p))
)
Buffer = structure(
    "Buffer", ("dtype", c_int), ("data", c_void_p), ("rank", c_int64), ("dims", POINTER(c_int64))
)  # fmt: skip
Frame = structure(
    "Frame", ("api", c_void_p), ("context", c_void_p), ("stage", c_int), ("args", List), ("rets", List), ("attrs", Named),
    ("future", c_void_p),
)  # fmt: skip
ErrorArguments = structure("ErrorArguments", ("message", c_char_p), ("code", c_int))
StreamArguments = structure("StreamArguments", ("context", c_void_p), ("stream", c_void_p))
DeviceArguments = structure("DeviceArguments", ("context", c_void_p), ("device", c_int32))
Version = structure("Version", ("major", c_int), ("minor", c_int))
FUNCTIONS = 18  # of the table of functions: Error_Create, ..., Stream_Get is number 4, DeviceOrdinal_Get number 17
Api = structure("Api", ("version", Version), ("internal", c_void_p), ("functions", c_void_p * FUNCTIONS))


class Text(Structure):
    _fields_ = [("data", c_char_p), ("length", c_size_t)]


class Scalar(Structure):
    _fields_ = [("dtype", c_int), ("value", c_void_p)]


def pointers(items):
    return (c_void_p * len(items))(*[ctypes.addressof(item) for item in items])


class Call:
    """A call of a function with arrays of any library in host or device memory. Attributes are in the order of their names."""

    def __init__(self, function, stream=0):
        self.function = ctypes.CFUNCTYPE(c_void_p, POINTER(Frame))(function)
        self.message = ""
        self.stream = stream
        self.callbacks = {
            0: ctypes.CFUNCTYPE(c_void_p, POINTER(ErrorArguments))(self.keep_error),
            4: ctypes.CFUNCTYPE(c_void_p, POINTER(StreamArguments))(self.give_stream),
            17: ctypes.CFUNCTYPE(c_void_p, POINTER(DeviceArguments))(self.give_device),
        }
        self.api = Api(struct_size=ctypes.sizeof(Api))
        for number, callback in self.callbacks.items():
            self.api.functions[number] = ctypes.cast(callback, c_void_p)

    def keep_error(self, given):
        self.message = given.contents.message.decode()
        return 1  # any address but 0 is an error

    def give_stream(self, given):
        given.contents.stream = self.stream

    def give_device(self, given):
        given.contents.device = 0

    def buffer(self, array, address):
        dims = (c_int64 * len(array.shape))(*array.shape)
        dtype = DTYPES[str(array.dtype).removeprefix("torch.")]
        made = Buffer(ctypes.sizeof(Buffer), None, dtype, address(array), len(array.shape), dims)
        self.kept.append((dims, made))
        return made

    def attribute(self, value):
        if isinstance(value, str):
            return 4, Text(value.encode(), len(value))
        stored = (c_double if isinstance(value, float) else ctypes.c_bool)(value)
        self.kept.append(stored)
        return 3, Scalar(DTYPES["float64" if isinstance(value, float) else "bool"], ctypes.addressof(stored))

    def __call__(self, inputs, outputs, attributes, address=lambda array: array.ctypes.data):
        """The message of the error; empty after a success."""
        self.kept = []
        arrays = [[self.buffer(array, address) for array in given] for given in (inputs, outputs)]
        lists = [
            List(ctypes.sizeof(List), None, len(part), (c_int * len(part))(*[1] * len(part)), pointers(part))
            for part in arrays
        ]
        names = [Text(name.encode(), len(name)) for name in sorted(attributes)]
        types, values = zip(*(self.attribute(attributes[name]) for name in sorted(attributes)), strict=True)
        named = Named(
            ctypes.sizeof(Named), None, len(names), (c_int * len(names))(*types), pointers(names), pointers(values)
        )
        size = Frame.attrs.offset + Frame.attrs.size  # as the interface counts it, without the output at the end
        frame = Frame(size, None, ctypes.addressof(self.api), None, EXECUTE, *lists, named)
        self.message = ""
        failed = self.function(ctypes.byref(frame))
        assert bool(failed) == bool(self.message)
        return self.message


def address_in_capsule(capsule):
    get_name = ctypes.pythonapi.PyCapsule_GetName
    get_name.restype, get_name.argtypes = c_char_p, [ctypes.py_object]
    get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
    get_pointer.restype, get_pointer.argtypes = c_void_p, [ctypes.py_object, c_char_p]
    return get_pointer(capsule, get_name(capsule))


