// The image's health check: ends with 0 if the service of this container is ready to work.
const port = process.env.PORT || '3000';
try {
  const response = await fetch(`http://127.0.0.1:${port}/health/ready`, { signal: AbortSignal.timeout(5_000) });
  console.log(await response.text());
  process.exitCode = response.ok ? 0 : 1;
} catch (error) {
  console.error(`The service does not answer on port ${port}: ${error.cause?.message ?? error.message}`);
  process.exitCode = 1;
}
