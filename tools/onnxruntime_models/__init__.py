"""What compare_onnxruntime.py is made of."""
