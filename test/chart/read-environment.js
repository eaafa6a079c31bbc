const { existsSync, readFileSync } = require('node:fs');
const { homedir } = require('node:os');
const { join } = require('node:path');
const { parseEnv } = require('node:util');

const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
const file = join(cache, 'dataset-media-service', 'chart', 'run', 'cluster.env');
if (!existsSync(file)) throw new Error('No API server is running: start it by test/chart/up.');
Object.assign(process.env, parseEnv(readFileSync(file, 'utf8')));
