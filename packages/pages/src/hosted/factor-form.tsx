import { type SubmitEvent, useRef, useState } from 'react';
import { maskPhone } from '../action/code.ts';
import { ActionButton, Field, Form } from '../shell/form.tsx';
import { Notice, Text } from '../shell/text.tsx';
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
  const [code, setCode] = useState('');
  const [wasEmpty, setEmpty] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const { own, shared } = texts;
  const others = pending.factors.filter(({ id }) => id !== factor.id);
  const phone = factor.phone === undefined ? undefined : maskPhone(factor.phone);

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    setEmpty(code.trim() === '');
    if (code.trim() === '') input.current?.focus();
    else hosted.finishFactor(code.trim());
  }

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
        <Form onSubmit={submit} noValidate>
          {phone === undefined ? (
            <Text>{own.factor.totp}</Text>
          ) : (
            <Notice tone="success" text={own.factor.smsSent(phone)} />
          )}
          <Field
            label={own.factor.code}
            type="text"
            autoComplete="one-time-code"
            value={code}
            onChange={setCode}
            error={wasEmpty && code === '' ? own.missing : ''}
            inputRef={input}
          />
          <ProblemNotice hosted={hosted} texts={texts} />
          <ActionButton label={own.factor.submit} busyLabel={busyLabel({ hosted, texts })} />
        </Form>
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
