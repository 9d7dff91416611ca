import { maskPhone } from '../../action/code.ts';
import { Notice } from '../../shell/text.tsx';
import type { HostedProject } from '../parameters.ts';
import type { Factor } from '../server.ts';
import type { OwnAccount } from './account.ts';
import { verifyEmail } from './calls.ts';
import { Row, RowButton, Section } from './parts.tsx';
import type { AccountViewProps } from './views.tsx';
import { AccountProblemNotice } from './views.tsx';

interface OverviewProps extends AccountViewProps {
  readonly account: OwnAccount;
  readonly project: HostedProject;
}

/** The whole account. */
export function Overview(props: OverviewProps) {
  const { state, texts, account, project } = props;
  const { own } = texts;
  const { progress, begin } = state;
  return (
    <>
      <Notice tone="success" text={progress.kind === 'done' ? own.done[progress.what] : ''} />
      <AccountProblemNotice state={state} texts={texts} />
      <Profile {...props} />
      <Factors {...props} />
      {(project.arePasskeysEnabled || account.passkeys.length > 0) && <Passkeys {...props} />}
      {(account.identities.length > 0 || project.providers.length > 0) && <Identities {...props} />}
      <Devices {...props} />
      <Section heading={own.data}>
        <RowButton label={own.tasks.export.heading} onPress={() => begin({ kind: 'export' })} />
        {project.isDeletionEnabled && (
          <RowButton label={own.tasks.delete.heading} onPress={() => begin({ kind: 'delete' })} />
        )}
      </Section>
    </>
  );
}

function Profile({ server, state, texts, account, project }: OverviewProps) {
  const { own, page } = texts;
  const { begin } = state;
  return (
    <Section heading={own.profile}>
      <Row title={account.name || own.none} details={[own.name]}>
        <RowButton label={own.change} of={own.name} onPress={() => begin({ kind: 'name' })} />
      </Row>
      <Row
        title={account.email || own.none}
        details={account.email === '' || account.isEmailVerified ? [own.email] : [own.email, own.unverified]}
      >
        {account.email !== '' && (
          <RowButton label={own.change} of={own.email} onPress={() => begin({ kind: 'email' })} />
        )}
      </Row>
      {account.email !== '' && !account.isEmailVerified && (
        <RowButton
          label={own.verify}
          onPress={() => void state.change('sent', (user) => verifyEmail(server, user))}
        />
      )}
      {account.phone !== '' && <Row title={account.phone} details={[page.phone.label]} />}
      {project.isPasswordEnabled && account.email !== '' && (
        <Row title={account.hasPassword ? own.passwordSet : own.none} details={[own.password]}>
          <RowButton label={own.change} of={own.password} onPress={() => begin({ kind: 'password' })} />
        </Row>
      )}
    </Section>
  );
}

function Factors({ state: { begin }, texts, account, project }: OverviewProps) {
  const { own } = texts;
  const { factors } = account;
  const hasApp = factors.some(({ phone }) => phone === undefined);
  if (factors.length === 0 && !project.isTotpEnabled && !project.isSmsFactorEnabled) return null;
  return (
    <Section heading={own.factors}>
      {factors.length > 0 && (
        <ul>
          {factors.map((factor) => (
            <li key={factor.id}>
              <Row title={nameOfFactor(factor, texts)}>
                <RowButton
                  label={own.remove}
                  of={nameOfFactor(factor, texts)}
                  onPress={() => begin({ kind: 'removeFactor', factor })}
                />
              </Row>
            </li>
          ))}
        </ul>
      )}
      {project.isTotpEnabled && !hasApp && (
        <RowButton label={own.addTotp} onPress={() => begin({ kind: 'totp' })} />
      )}
      {project.isSmsFactorEnabled && (
        <RowButton label={own.addPhone} onPress={() => begin({ kind: 'phone' })} />
      )}
      {factors.length > 0 && (
        <RowButton label={own.createCodes} onPress={() => begin({ kind: 'recoveryCodes' })} />
      )}
    </Section>
  );
}

/** Returns the name by which the user recognizes a second factor. */
export function nameOfFactor({ name, phone }: Factor, { shared }: AccountViewProps['texts']): string {
  if (name !== undefined) return name;
  return phone === undefined ? shared.labels.authenticator : maskPhone(phone);
}

function Passkeys({ state: { begin }, texts: { own }, formatDate, account, project }: OverviewProps) {
  return (
    <Section heading={own.passkeys}>
      {account.passkeys.length > 0 && (
        <ul>
          {account.passkeys.map((passkey) => (
            <li key={passkey.id}>
              <Row title={passkey.name} details={[own.created(formatDate(passkey.createdAtMs))]}>
                <RowButton
                  label={own.remove}
                  of={passkey.name}
                  onPress={() => begin({ kind: 'removePasskey', passkey })}
                />
              </Row>
            </li>
          ))}
        </ul>
      )}
      {project.arePasskeysEnabled && 'PublicKeyCredential' in window && (
        <RowButton label={own.addPasskey} onPress={() => begin({ kind: 'passkey' })} />
      )}
    </Section>
  );
}

function Identities({ state: { begin }, texts: { own }, account, project }: OverviewProps) {
  const { identities, hasPassword, passkeys, phone } = account;
  // Without another way to sign in, the user would lose the account.
  const mayUnlink = hasPassword || phone !== '' || passkeys.length > 0 || identities.length > 1;
  const others = project.providers.filter(({ id }) =>
    identities.every(({ providerId }) => providerId !== id),
  );
  return (
    <Section heading={own.identities}>
      {identities.length > 0 && (
        <ul>
          {identities.map((identity) => (
            <li key={identity.providerId}>
              <Row
                title={nameOfProvider(identity.providerId, project)}
                details={identity.label === '' ? [] : [identity.label]}
              >
                {mayUnlink && (
                  <RowButton
                    label={own.remove}
                    of={nameOfProvider(identity.providerId, project)}
                    onPress={() => begin({ kind: 'unlink', identity })}
                  />
                )}
              </Row>
            </li>
          ))}
        </ul>
      )}
      {others.map((provider) => (
        <RowButton
          key={provider.id}
          label={own.link(provider.name)}
          onPress={() => begin({ kind: 'link', provider })}
        />
      ))}
    </Section>
  );
}

function nameOfProvider(providerId: string, { providers }: HostedProject): string {
  return providers.find(({ id }) => id === providerId)?.name ?? providerId;
}

function Devices({ state: { begin }, texts: { own }, formatDate, account }: OverviewProps) {
  return (
    <Section heading={own.devices}>
      <ul>
        {account.sessions.map((session) => (
          <li key={session.id}>
            <Row
              title={session.isCurrent ? `${session.device} (${own.thisDevice})` : session.device}
              details={[session.network, own.lastUsed(formatDate(session.lastUsedAtMs))]}
            >
              {!session.isCurrent && (
                <RowButton
                  label={own.signOut}
                  of={`${session.device}, ${own.lastUsed(formatDate(session.lastUsedAtMs))}`}
                  onPress={() => begin({ kind: 'endSession', session })}
                />
              )}
            </Row>
          </li>
        ))}
      </ul>
      <RowButton label={own.tasks.endAll.heading} onPress={() => begin({ kind: 'endAll' })} />
    </Section>
  );
}
