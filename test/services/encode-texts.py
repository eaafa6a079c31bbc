"""Encodes a JSON list of texts on standard input by the model in a folder, and prints the vectors as JSON."""
import json, sys
from pathlib import Path
import numpy, onnxruntime, tokenizers

folder = Path(sys.argv[1])
tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
tokenizer.no_padding()
session = onnxruntime.InferenceSession(str(folder / "model.onnx"))
vectors = []
for text in json.load(sys.stdin):
    encoded = tokenizer.encode(text)
    inputs = {"input_ids": encoded.ids, "attention_mask": encoded.attention_mask, "token_type_ids": encoded.type_ids}
    (tokens,) = session.run(["last_hidden_state"], {name: numpy.array([ids], numpy.int64) for name, ids in inputs.items()})
    mean = tokens[0].mean(0)
    vectors.append((mean / numpy.linalg.norm(mean)).tolist())
json.dump(vectors, sys.stdout)
