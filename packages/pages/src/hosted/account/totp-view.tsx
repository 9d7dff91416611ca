import { useEffect, useState } from 'react';
import { Working } from '../../shell/page-card.tsx';
import { QrCode } from '../../shell/qr-code.tsx';
import { Facts, Text } from '../../shell/text.tsx';
import { CodeForm } from '../code-form.tsx';
import { OtherWay } from '../forms.tsx';
import { finishTotp, startTotp, type TotpSecret } from './calls.ts';
import { AccountProblemNotice, type AccountViewProps, Submit } from './views.tsx';

interface TotpViewProps extends AccountViewProps {
  /** The name of the project, which authenticator apps show. */
  readonly issuer: string;
}

/** Adds an authenticator app as a second factor. */
export function TotpView({ server, state, texts, issuer }: TotpViewProps) {
  const [secret, setSecret] = useState<TotpSecret | undefined>(undefined);
  const { own, page } = texts;

  // Each request creates another secret, so only the first render sends one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the actions change with every render
  useEffect(() => {
    void state.ask((user) => startTotp(server, user)).then(setSecret);
  }, [server]);

  if (secret === undefined)
    return (
      <>
        {state.progress.kind === 'busy' && <Working />}
        <AccountProblemNotice state={state} texts={texts} />
        <OtherWay label={own.cancel} onPress={state.cancel} />
      </>
    );
  return (
    <CodeForm
      intro={
        <>
          <Text>{own.totp.scan}</Text>
          <QrCode
            text={totpAddress(secret.secret, issuer, state.account?.email ?? '')}
            label={own.totp.picture}
          />
          <Facts facts={[{ label: own.totp.secret, value: secret.secret.replace(/.{4}(?=.)/g, '$& ') }]} />
        </>
      }
      label={own.totp.enter}
      missing={page.missing}
      finish={(code) => void state.change('added', (user) => finishTotp(server, user, secret, code))}
    >
      <Submit state={state} texts={texts} label={own.totp.submit} />
    </CodeForm>
  );
}

/** Returns the address with which authenticator apps store a secret. */
function totpAddress(secret: string, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`;
}
