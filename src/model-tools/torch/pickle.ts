import { WeightsRefusedError } from '../packages/converter';

/** What a pickle may name, by `module name`: a value, or a function of the arguments that it may be called with. Everything else is refused. */
export type PickleGlobals = Readonly<Record<string, unknown>>;

export interface PickleRules {
  readonly globals: PickleGlobals;
  /** The value of a persistent id. */
  readonly persistent: (id: unknown) => unknown;
}

/** Every byte may become an object of a hundred. */
const MOST_BYTES = 1024 * 1024;
const PROTOCOL = 2;

/**
 * Reads one value of Python's pickle format, protocol 2, as far as state dicts of torch use it. It builds strings, numbers, arrays (for lists and
 * tuples) and Maps (for dicts), and runs nothing of the file.
 */
export function readPickle(bytes: Buffer, rules: PickleRules): { readonly value: unknown; readonly length: number } {
  const machine = new PickleMachine(bytes.subarray(0, MOST_BYTES), rules);
  return { value: machine.run(), length: machine.at };
}

class PickleMachine {
  at = 0;
  private stack: unknown[] = [];
  private readonly marked: unknown[][] = [];
  private readonly memo = new Map<number, unknown>();

  constructor(
    private readonly bytes: Buffer,
    private readonly rules: PickleRules,
  ) {}

  run(): unknown {
    for (;;) {
      const opcode = String.fromCharCode(this.byte());
      if (opcode === '.') return this.pop();
      const step = STEPS[opcode];
      if (step === undefined) throw refused(`the instruction 0x${opcode.charCodeAt(0).toString(16)} is not supported`);
      step(this);
    }
  }

  push(value: unknown): void {
    this.stack.push(value);
  }

  pop(): unknown {
    if (this.stack.length === 0) throw refused('a value is missing');
    return this.stack.pop();
  }

  private top<Type>(kind: abstract new (...args: never[]) => Type): Type {
    const value = this.stack.at(-1);
    if (!(value instanceof kind)) throw refused('an instruction does not match its value');
    return value;
  }

  mark(): void {
    this.marked.push(this.stack);
    this.stack = [];
  }

  sinceMark(): unknown[] {
    const below = this.marked.pop();
    if (below === undefined) throw refused('a mark is missing');
    const above = this.stack;
    this.stack = below;
    return above;
  }

  tuple(length: number): void {
    this.push(Array.from({ length }, () => this.pop()).reverse());
  }

  append(items: readonly unknown[]): void {
    const list = this.top<unknown[]>(Array);
    for (const item of items) list.push(item);
  }

  setItems(items: readonly unknown[]): void {
    if (items.length % 2 === 1) throw refused('a key has no value');
    const map = this.top<Map<unknown, unknown>>(Map);
    for (let at = 0; at < items.length; at += 2) map.set(items[at], items[at + 1]);
  }

  /** The state of a dict is what torch notes about versions of layers. */
  ignoreState(): void {
    this.pop();
    this.top(Map);
  }

  remember(key: number): void {
    const value = this.pop();
    this.push(value);
    this.memo.set(key, value);
  }

  recall(key: number): void {
    if (!this.memo.has(key)) throw refused('a reference has no target');
    this.push(this.memo.get(key));
  }

  global(): void {
    const name = `${this.line()} ${this.line()}`;
    if (!Object.hasOwn(this.rules.globals, name))
      throw refused(`it asks for ${JSON.stringify(name.slice(0, 100))}, which weights do not need`);
    this.push(this.rules.globals[name]);
  }

  reduce(): void {
    const args = this.pop();
    const callable = this.pop();
    if (typeof callable !== 'function' || !Array.isArray(args)) throw refused('a call does not match its values');
    this.push((callable as (args: readonly unknown[]) => unknown)(args));
  }

  persistent(): void {
    this.push(this.rules.persistent(this.pop()));
  }

  protocol(): void {
    const version = this.byte();
    if (version !== PROTOCOL) throw refused(`it has protocol ${version}, not ${PROTOCOL}`);
  }

  byte(): number {
    return this.take(1)[0]!;
  }

  take(length: number): Buffer {
    if (length > this.bytes.length - this.at) throw refused('it ends too early, or its description is too long');
    return this.bytes.subarray(this.at, (this.at += length));
  }

  private line(): string {
    const end = this.bytes.indexOf('\n', this.at);
    const text = this.take((end === -1 ? this.bytes.length : end) - this.at).toString('latin1');
    this.take(1);
    return text;
  }
}

function longInteger(bytes: Buffer): bigint {
  const value = bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  return BigInt.asIntN(8 * bytes.length, value);
}

/** Opcodes of Python's pickletools. */
const STEPS: Readonly<Record<string, (machine: PickleMachine) => void>> = {
  '\x80': (machine) => machine.protocol(),
  '(': (machine) => machine.mark(),
  N: (machine) => machine.push(null),
  '\x88': (machine) => machine.push(true),
  '\x89': (machine) => machine.push(false),
  J: (machine) => machine.push(machine.take(4).readInt32LE()),
  K: (machine) => machine.push(machine.byte()),
  M: (machine) => machine.push(machine.take(2).readUInt16LE()),
  '\x8a': (machine) => machine.push(longInteger(machine.take(machine.byte()))),
  G: (machine) => machine.push(machine.take(8).readDoubleBE()),
  X: (machine) => machine.push(machine.take(machine.take(4).readUInt32LE()).toString('utf8')),
  ']': (machine) => machine.push([]),
  ')': (machine) => machine.push([]),
  '}': (machine) => machine.push(new Map()),
  t: (machine) => machine.push(machine.sinceMark()),
  '\x85': (machine) => machine.tuple(1),
  '\x86': (machine) => machine.tuple(2),
  '\x87': (machine) => machine.tuple(3),
  a: (machine) => machine.append([machine.pop()]),
  e: (machine) => machine.append(machine.sinceMark()),
  s: (machine) => machine.setItems([machine.pop(), machine.pop()].reverse()),
  u: (machine) => machine.setItems(machine.sinceMark()),
  q: (machine) => machine.remember(machine.byte()),
  r: (machine) => machine.remember(machine.take(4).readUInt32LE()),
  h: (machine) => machine.recall(machine.byte()),
  j: (machine) => machine.recall(machine.take(4).readUInt32LE()),
  c: (machine) => machine.global(),
  R: (machine) => machine.reduce(),
  b: (machine) => machine.ignoreState(),
  Q: (machine) => machine.persistent(),
};

export const refused = (why: string): WeightsRefusedError =>
  new WeightsRefusedError(`The file of weights can't be read: ${why}.`);
