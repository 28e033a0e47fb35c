"""castufunc.onnx. The folder isn't called onnx: with tests in the path, that would be `onnx`."""
