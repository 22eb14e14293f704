// A mail server for tests: it takes what it is given over SMTP, and shows it over HTTP.
import { expect } from '@playwright/test';
import { freePort, run } from './server';
import type { Running } from './server';

/** A mail as the server understood it. */
export interface Received {
  subject: string;
  from: { address: string; name: string }[];
  to: { address: string }[];
  text: string;
  html: string;
}

export interface MailServer extends Running {
  /** What SMTP_URL names it by. */
  url: string;
  /** Waits for a mail to an address whose subject fits. */
  mailTo: (address: string, subject: RegExp) => Promise<Received>;
}

export async function startMailServer(): Promise<MailServer> {
  const [smtp, web] = [String(await freePort()), String(await freePort())];
  const args = ['node_modules/maildev/bin/maildev', '--silent', '--ip', '127.0.0.1', '--smtp', smtp, '--web', web];
  const running = await run(args, {}, `http://127.0.0.1:${web}`, '/healthz');
  const mailTo = async (address: string, subject: RegExp) => {
    let found: Received | undefined;
    const look = async () => {
      const all = (await (await fetch(`${running.base}/email`)).json()) as Received[];
      found = all.findLast((mail) => subject.test(mail.subject) && mail.to.some((to) => to.address === address));
      return found !== undefined;
    };
    await expect.poll(look, { message: `a mail to ${address} with the subject ${String(subject)}`, timeout: 60_000 }).toBe(true);
    if (!found) throw new Error('unreachable');
    return found;
  };
  return { ...running, url: `smtp://127.0.0.1:${smtp}?tls=none`, mailTo };
}
