// onnxruntime reports home by default (1DS, since 1.29) and reads this once, when it is first loaded: nothing leaves the site.
process.env['ORT_DISABLE_TELEMETRY'] = '1';

export {};
