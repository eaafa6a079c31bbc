// onnxruntime sends telemetry by default (1DS, since 1.29), and reads this variable once, when it is loaded.
process.env['ORT_DISABLE_TELEMETRY'] = '1';

export {};
