import type { Bench } from './bench';
import { makeDataset } from './support/made-dataset';
import { processTree } from './support/process-tree';
import { inProgram } from './support/program-in-process';
import { inPython } from './support/python-client';

const ROWS = Number(process.env['ROWS'] ?? 1_000_000);
const GOAL_SECONDS = 30;
const GOAL_RATIO = 2;

interface Measured {
  readonly rows: number;
  readonly seconds: number;
  readonly secondsOfExport: number;
  readonly cpuSeconds: number;
  readonly fileBytes: number;
  readonly frameBytes: number;
  readonly grownBytes: number;
}

/** Memory is the largest growth of the process after the libraries were loaded, including the pages of the mapped file. */
const PROGRAM = `
import json, sys, time
import pandas, pyarrow.parquet
from dms_client import Client

def memory(name):
    with open('/proc/self/status') as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith(name + ':'))

with Client(sys.argv[1]) as dms:
    dataset = dms.dataset(sys.argv[2])
    with open('/proc/self/clear_refs', 'w') as highest:
        highest.write('5')
    before, cpu, started = memory('VmRSS'), time.process_time(), time.monotonic()
    with dataset.metadata(progress=False) as metadata:
        exported = time.monotonic()
        size = metadata.path.stat().st_size
        frame = metadata.to_pandas()
    ended = time.monotonic()

print(json.dumps({
    'rows': len(frame),
    'seconds': ended - started,
    'secondsOfExport': exported - started,
    'cpuSeconds': time.process_time() - cpu,
    'fileBytes': size,
    'frameBytes': int(frame.memory_usage(deep=True).sum()),
    'grownBytes': memory('VmHWM') - before,
}))
`;

export const bench: Bench = {
  name: 'client-pandas',
  summary: 'metadata of a million media as a DataFrame by the Python SDK (`ROWS=100000` for fewer): time and memory',
  run: (report) =>
    inProgram(async (program) => {
      const id = await makeDataset(program, ROWS);
      const before = processTree().cpuSeconds;
      const found = await inPython<Measured>(PROGRAM, [program.url, id]);
      const service = processTree().cpuSeconds - before;
      if (found.rows !== ROWS) throw new Error(`The frame has ${found.rows} rows instead of ${ROWS}`);
      const { seconds, secondsOfExport, cpuSeconds, fileBytes, frameBytes, grownBytes } = found;
      const ratio = grownBytes / frameBytes;
      report.figure(`${ROWS} rows, request to DataFrame`, seconds, 's', `<${GOAL_SECONDS}`, seconds < GOAL_SECONDS);
      report.figure('highest memory, compared with the frame', ratio, '', `<${GOAL_RATIO}`, ratio < GOAL_RATIO);
      report.note(
        `${secondsOfExport.toFixed(1)} s until the file of ${(fileBytes / 1e6).toFixed(0)} MB was there; processor time: ` +
          `service ${service.toFixed(1)} s, client ${cpuSeconds.toFixed(1)} s; a frame of ${(frameBytes / 1e6).toFixed(0)} MB`,
      );
    }),
};
