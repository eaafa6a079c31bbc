import { setFlagsFromString } from 'node:v8';

// What a search makes and drops are typed arrays outside of the heap. Without this, every 64 MB of them bring a full collection of the heap,
// several a second, each a stall; with it, they count with everything else that is kept.
setFlagsFromString('--external-memory-accounted-in-global-limit');

export {};
