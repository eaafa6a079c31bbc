import { VideoSupport, type Machine } from './video-tools';

const machine = (platform: NodeJS.Platform, ...programs: string[]): Machine => ({
  platform,
  hasProgram: (name) => Promise.resolve(programs.includes(name)),
});

const MISSING = "Videos can't be read, because ffmpeg and ffprobe are not on the path.";

describe('VideoSupport', () => {
  it('has no warnings if ffmpeg is installed', async () => {
    expect(await new VideoSupport(machine('linux', 'apt-get', 'ffmpeg', 'ffprobe')).warnings()).toEqual([]);
  });

  it.each([
    ['linux', 'apt-get', 'sudo apt-get install ffmpeg'],
    ['linux', 'dnf', 'sudo dnf install ffmpeg-free'],
    ['linux', 'apk', 'sudo apk add ffmpeg'],
    ['darwin', 'brew', 'brew install ffmpeg'],
    ['win32', 'winget', 'winget install Gyan.FFmpeg'],
  ] as const)('names the command of %s with %s', async (platform, program, command) => {
    expect(await new VideoSupport(machine(platform, program)).warnings()).toEqual([
      `${MISSING} Install them: ${command}`,
    ]);
  });

  it('names the package if no package manager is known', async () => {
    const expected = [`${MISSING} Install the package ffmpeg of this system.`];
    expect(await new VideoSupport(machine('freebsd', 'apt-get')).warnings()).toEqual(expected);
    expect(await new VideoSupport(machine('linux')).warnings()).toEqual(expected);
  });

  it('detects ffmpeg that is installed later', async () => {
    const installed = ['ffmpeg'];
    const hasProgram = (name: string): Promise<boolean> => Promise.resolve(installed.includes(name));
    const support = new VideoSupport({ platform: 'linux', hasProgram });
    expect(await support.warnings()).toHaveLength(1);
    installed.push('ffprobe');
    expect(await support.warnings()).toEqual([]);
  });
});
