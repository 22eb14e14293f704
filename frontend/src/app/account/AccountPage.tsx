import '@/shared/account/account.css';
import '@/features/identity/account/account.css';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { queryClient } from '@/api/queryClient';
import { site } from '@/lib/site';
import { accountQuery } from '@/shared/session/account';
import { billingQuery } from '@/shared/payment/billing';
import { isProvider, providerName } from '@/shared/session/signInProviders';
import { ArchiveRow } from '@/features/identity/account/components/ArchiveRow';
import { Devices } from '@/features/identity/account/components/Devices';
import { Profile } from '@/features/identity/account/components/Profile';
import { QueryContent, Section } from '@/shared/account/Section';
import { SectionIndex } from '@/features/identity/account/components/SectionIndex';
import { LinkRow, RowText } from '@/shared/account/Setting';
import { SignIn } from '@/features/identity/account/components/SignIn';
import { Subscription } from '@/features/billing/subscription/Subscription';
import { securityQuery } from '@/shared/session/security';
import { devicesQuery } from '@/features/identity/account/queries';
import { settleBeforeFirstRender } from '@/lib/firstRender';
import { useTitle } from '@/lib/useTitle';
import { ROUTES, paths } from '@/paths';
import { Alert } from '@/ui/Alert';
import { LinkButton } from '@/ui/Button';
import { Icon } from '@/ui/Icon';
import { toast } from '@/ui/toast';

export const loader = () =>
  settleBeforeFirstRender(
    queryClient.query(accountQuery()),
    queryClient.query(billingQuery()),
    queryClient.query(securityQuery()),
    queryClient.query(devicesQuery()),
  );

const SECTIONS = [
  { id: 'profile', title: 'Profile' },
  { id: 'subscription', title: 'Subscription' },
  { id: 'payments', title: 'Payments' },
  { id: 'sign-in', title: 'Login and security' },
  { id: 'devices', title: 'Devices' },
  { id: 'data', title: 'Your data' },
  { id: 'help', title: 'Help and terms' },
] as const;

/** /account: profile, subscription, sign-in and security, archive and deletion (identity.account-page). */
export function Component() {
  useTitle(ROUTES.account.title);
  const account = useQuery(accountQuery());
  const security = useQuery(securityQuery());
  const devices = useQuery(devicesQuery());
  const returnError = useProviderError();
  return (
    <div className="page account">
      <h1 className="page__title">Account</h1>
      {returnError ? (
        <div className="account__alert">
          <Alert kind="warning">{returnError}</Alert>
        </div>
      ) : null}
      <div className="account__frame">
        <SectionIndex sections={SECTIONS} />
        <div className="account__sections">
          {account.data ? (
            <>
              <Profile user={account.data} security={security.data} />
              <Subscription user={account.data} />
            </>
          ) : (
            <Section id="profile" title="Profile">
              <QueryContent query={account} loading="Loading your account" rows={3}>
                {() => null}
              </QueryContent>
            </Section>
          )}
          <Section id="sign-in" title="Login and security">
            <QueryContent query={security} loading="Loading your login options" rows={3}>
              {(data) => <SignIn user={account.data} security={data} />}
            </QueryContent>
          </Section>
          <Section id="devices" title="Devices" lead="Where you are logged in. If you do not recognize a device, log it out and change your password.">
            <QueryContent query={devices} loading="Loading your devices" rows={2}>
              {(data) => <Devices devices={data} />}
            </QueryContent>
          </Section>
          <Section id="data" title="Your data">
            <ArchiveRow />
            <ul className="account__links">
              <LinkRow to={paths.accountImport} label="Import an archive" note="From another account, here or on another site" />
              <LinkRow to={paths.setKindle} label="Your Kindle’s address" note="Where the summaries you send are delivered" />
              <LinkRow to={paths.studySettings} label="Highlight settings" note="Highlights in the reader, review, commitments, reminders and exports" />
              <LinkRow to={paths.apiTokens} label="API tokens" note="For programs of your own" />
              <LinkRow to={paths.accountDelete} label="Delete Account" note="Permanently, with everything in it" harm />
            </ul>
          </Section>
          <Section id="help" title="Help and terms">
            <ul className="account__links">
              {site.supportEmail ? (
                <li className="account__item">
                  <a className="account__link" href={`mailto:${site.supportEmail}`}>
                    <RowText label="Contact" note={site.supportEmail} />
                    <Icon name="send" />
                  </a>
                </li>
              ) : null}
              <LinkRow to={paths.privacy} label="Privacy" />
              <LinkRow to={paths.terms} label="Terms" />
            </ul>
            <LinkButton className="account__logout" to={paths.logout}>
              Log out
            </LinkButton>
          </Section>
        </div>
      </div>
    </div>
  );
}

/** After a redirect from a sign-in provider: a toast on success, the error message on failure. Removes the URL's parameters. */
function useProviderError(): string | null {
  const [params, setParams] = useSearchParams();
  const [returnError] = useState(() => params.get('error'));
  const connected = params.get('connected');
  const error = params.get('error');
  useEffect(() => {
    if (connected === null && error === null) return;
    if (isProvider(connected) && queryClient.getQueryData(securityQuery().queryKey)?.providers.some((one) => one.name === connected && one.connected)) {
      toast(`${providerName(connected)} is connected.`);
    }
    setParams(
      (now) => {
        now.delete('connected');
        now.delete('error');
        return now;
      },
      { replace: true },
    );
  }, [connected, error, setParams]);
  return returnError;
}
