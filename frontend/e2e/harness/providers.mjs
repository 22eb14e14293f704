// Real OpenID providers out of packages, for the browser tests: emulate stands behind the names of Google and Apple,
// oidc-provider behind LinkedIn's. Each listens on a port of its own for as long as the tests run.
import { createEmulator } from 'emulate';
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

const CLIENT = 'pith';
const SECRET = 'a secret between two programs';

/** What oidc-provider's people are like; whatever is typed as the login is the address. */
const claimsOf = (login) => ({
  sub: login,
  email: login,
  email_verified: !login.startsWith('unverified'),
  given_name: 'Lin',
  family_name: 'Kedin',
});

/**
 * Starts them; gives the server's variables and a way to stop.
 * @param {string} site the site's address
 * @param {string[]} ports Google's, Apple's, LinkedIn's, and one on which nothing listens
 */
export async function startProviders(site, [google, apple, linkedin, unused]) {
  const people = (names) => names.map((name) => ({ email: `${name}@example.com`, name: `${name[0].toUpperCase()}${name.slice(1)} Reader` }));
  const at = (port) => `http://localhost:${port}`;
  const emulators = [
    await createEmulator({
      service: 'google',
      port: Number(google),
      baseUrl: at(google),
      seed: {
        google: {
          users: [...people(['grace', 'joan', 'mary', 'hedy']), { email: 'doubtful@example.com', name: 'Doubtful Reader', email_verified: false }],
          oauth_clients: [{ client_id: CLIENT, client_secret: SECRET, name: 'Pith', redirect_uris: [`${site}/login?type=google`] }],
        },
      },
    }),
    await createEmulator({
      service: 'apple',
      port: Number(apple),
      baseUrl: at(apple),
      seed: {
        apple: {
          users: people(['alan', 'katherine']),
          oauth_clients: [{ client_id: CLIENT, team_id: 'TEAM', name: 'Pith', redirect_uris: [`${site}/api/apple/oauth/callback`] }],
        },
      },
    }),
  ];
  const issuer = new Provider(at(linkedin), {
    clients: [
      {
        client_id: CLIENT,
        client_secret: SECRET,
        redirect_uris: [`${site}/login?type=linkedin`],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['given_name', 'family_name'] },
    findAccount: (_, id) => ({ accountId: id, claims: () => claimsOf(id) }),
    pkce: { required: () => true },
    cookies: { keys: ['only the tests know'] },
  });
  // The code of a login named late… expires at once.
  issuer.on('authorization_code.saved', (code) => {
    if (code.accountId.startsWith('late')) void code.destroy();
  });
  const listener = createServer(issuer.callback());
  await new Promise((resolve) => listener.listen(Number(linkedin), 'localhost', resolve));

  const named = (name, port, credential) => ({
    [`OAUTH_${name}_ISSUER`]: at(port),
    [`OAUTH_${name}_CLIENT_ID`]: CLIENT,
    ...(credential ?? { [`OAUTH_${name}_CLIENT_SECRET`]: SECRET }),
  });
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    env: {
      ...named('GOOGLE', google),
      ...named('APPLE', apple, {
        OAUTH_APPLE_TEAM_ID: 'TEAM',
        OAUTH_APPLE_KEY_ID: 'KEY',
        OAUTH_APPLE_PRIVATE_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }),
      }),
      ...named('LINKEDIN', linkedin),
      ...named('FACEBOOK', unused),
    },
    stop: async () => {
      listener.closeAllConnections();
      await Promise.all([...emulators.map((emulator) => emulator.close()), new Promise((resolve) => listener.close(resolve))]);
    },
  };
}
