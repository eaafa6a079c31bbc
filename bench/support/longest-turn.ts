/** In CPU time, so that other load on the machine does not count. */
export async function longestTurn(run: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let before = process.threadCpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1000);
    before = process.threadCpuUsage();
  }, 1);
  await run();
  clearInterval(timer);
  return longest;
}
