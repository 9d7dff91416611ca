import { maskPhone } from '../action/code.ts';
import { ActionButton } from '../shell/form.tsx';
import { Notice, Text } from '../shell/text.tsx';
import { CodeForm } from './code-form.tsx';
import { busyLabel, OtherWay, ProblemNotice } from './forms.tsx';
import type { Texts } from './texts.ts';
import type { Hosted, Stage } from './use-hosted.ts';

interface FactorFormProps {
  readonly hosted: Hosted;
  readonly texts: Texts;
  readonly stage: Extract<Stage, { readonly kind: 'factor' }>;
  readonly arePasskeysEnabled: boolean;
}

/** The form for the code of a second factor. */
export function FactorForm(props: FactorFormProps) {
  const { hosted, texts, arePasskeysEnabled } = props;
  const { pending, factor, sessionInfo } = props.stage;
  const { own, shared } = texts;
  const others = pending.factors.filter(({ id }) => id !== factor.id);
  const phone = factor.phone === undefined ? undefined : maskPhone(factor.phone);

  return (
    <>
      {phone !== undefined && sessionInfo === undefined ? (
        <>
          <ProblemNotice hosted={hosted} texts={texts} />
          <ActionButton
            label={own.factor.sendSms(phone)}
            busyLabel={busyLabel({ hosted, texts })}
            onPress={hosted.sendSms}
          />
        </>
      ) : (
        <CodeForm
          intro={
            phone === undefined ? (
              <Text>{own.factor.totp}</Text>
            ) : (
              <Notice tone="success" text={own.factor.smsSent(phone)} />
            )
          }
          label={own.factor.code}
          missing={own.missing}
          finish={hosted.finishFactor}
        >
          <ProblemNotice hosted={hosted} texts={texts} />
          <ActionButton label={own.factor.submit} busyLabel={busyLabel({ hosted, texts })} />
        </CodeForm>
      )}
      {/* A passkey proves the device and the user, so that it replaces both factors. */}
      {arePasskeysEnabled && 'PublicKeyCredential' in window && (
        <ActionButton label={own.signIn.passkey} variant="outlined" onPress={hosted.usePasskey} />
      )}
      {others.map((other) => (
        <OtherWay
          key={other.id}
          label={`${own.factor.other}: ${other.name ?? (other.phone === undefined ? shared.labels.authenticator : maskPhone(other.phone))}`}
          onPress={() => hosted.chooseFactor(other)}
        />
      ))}
      <OtherWay label={own.forgot.back} onPress={() => hosted.show('signIn')} />
    </>
  );
}
