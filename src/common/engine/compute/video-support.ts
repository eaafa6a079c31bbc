import { isOnPath } from '../../platform/config/program-on-path';

interface PackageManager {
  readonly program: string;
  readonly platform: NodeJS.Platform;
  readonly command: string;
}

const MANAGERS: readonly PackageManager[] = [
  { program: 'apt-get', platform: 'linux', command: 'sudo apt-get install ffmpeg' },
  { program: 'dnf', platform: 'linux', command: 'sudo dnf install ffmpeg-free' },
  { program: 'apk', platform: 'linux', command: 'sudo apk add ffmpeg' },
  { program: 'brew', platform: 'darwin', command: 'brew install ffmpeg' },
  { program: 'winget', platform: 'win32', command: 'winget install Gyan.FFmpeg' },
];

/** The programs of this machine; replaced in tests. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  hasProgram(name: string): Promise<boolean>;
}

const thisMachine: Machine = { platform: process.platform, hasProgram: isOnPath };

/** Whether videos can be read on this machine, and what to do if not. */
export class VideoSupport {
  private found = false;
  private advice: Promise<string> | undefined;

  constructor(private readonly machine: Machine = thisMachine) {}

  /** Empty if there is nothing to correct. ffmpeg may be installed while the service runs, so it is looked for until it is found. */
  async warnings(): Promise<readonly string[]> {
    this.found ||= (await this.machine.hasProgram('ffmpeg')) && (await this.machine.hasProgram('ffprobe'));
    if (this.found) return [];
    this.advice ??= this.findAdvice();
    return [`Videos can't be read, because ffmpeg and ffprobe are not on the path. ${await this.advice}`];
  }

  private async findAdvice(): Promise<string> {
    for (const { program, platform, command } of MANAGERS)
      if (platform === this.machine.platform && (await this.machine.hasProgram(program)))
        return `Install them: ${command}`;
    return 'Install the package ffmpeg of this system.';
  }
}
