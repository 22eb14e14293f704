// Programs that one test starts for itself, and ends.
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { expect } from '@playwright/test';

export interface Running {
  /** Where it answers. */
  base: string;
  stop: () => Promise<void>;
}

/** What this process has been given: the machine may offer a port again as long as nothing listens there. */
const given = new Set<number>();

/** A port that is free now, another one each time. */
export async function freePort(): Promise<number> {
  const port = await new Promise<number>((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
  if (given.has(port)) return freePort();
  given.add(port);
  return port;
}

/** Runs a Node program until `stop`; ready when `ready` answers. */
export async function run(args: string[], env: Record<string, string | undefined>, base: string, ready: string): Promise<Running> {
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  try {
    const answers = () =>
      fetch(base + ready).then(
        (response) => response.ok,
        () => false,
      );
    await expect.poll(answers, { message: `${args.join(' ')} answers`, timeout: 150_000 }).toBe(true);
  } catch (error) {
    await stop();
    throw error;
  }
  return { base, stop };
}

/** A second instance of the product, with a database and a folder of its own. */
export async function startServer(env: Record<string, string>): Promise<Running> {
  const port = String(await freePort());
  return run(['e2e/harness/serve.mjs'], { E2E_HOME: undefined, ...env, E2E_PORT: port }, `http://localhost:${port}`, '/readyz');
}
