import { type ReactNode, type SubmitEvent, useRef, useState } from 'react';
import { ActionButton, Field, Form } from '../shell/form.tsx';
import { Notice } from '../shell/text.tsx';
import { CodeForm } from './code-form.tsx';
import { busyLabel, OtherWay, ProblemNotice, type ViewProps } from './forms.tsx';
import type { Texts } from './texts.ts';
import type { Stage } from './use-hosted.ts';

/** An international number. The server ignores the punctuation and knows which numbers exist. */
const NUMBER = /^\+[\d\s().-]{6,30}$/;

interface PhoneFormProps extends ViewProps {
  readonly stage: Extract<Stage, { readonly kind: 'phone' }>;
}

/** The forms with which a user signs in by phone. */
export function PhoneForm({ hosted, texts, stage }: PhoneFormProps) {
  const submit = (label: string) => (
    <>
      <ProblemNotice hosted={hosted} texts={texts} />
      <ActionButton label={label} busyLabel={busyLabel({ hosted, texts })} />
    </>
  );
  const { own } = texts;
  return (
    <>
      {stage.sent === undefined ? (
        <NumberForm texts={own} send={hosted.sendPhoneCode}>
          {submit(own.phone.send)}
        </NumberForm>
      ) : (
        <PhoneCodeForm texts={own} phoneNumber={stage.sent.phoneNumber} finish={hosted.finishPhone}>
          {submit(own.signIn.submit)}
        </PhoneCodeForm>
      )}
      <OtherWay label={own.forgot.back} onPress={() => hosted.show('signIn')} />
    </>
  );
}

interface NumberFormProps {
  readonly texts: Texts['own'];
  readonly send: (phoneNumber: string) => void;
  /** The end of the form, with its button. */
  readonly children: ReactNode;
}

/** The form for the number to which a code is sent. */
export function NumberForm({ texts, send, children }: NumberFormProps) {
  const [number, setNumber] = useState('');
  const [wasInvalid, setInvalid] = useState(false);
  const input = useRef<HTMLInputElement>(null);

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    const isValid = NUMBER.test(number.trim());
    setInvalid(!isValid);
    if (isValid) send(number.trim());
    else input.current?.focus();
  }

  return (
    <Form onSubmit={submit} noValidate>
      <Field
        label={texts.phone.label}
        type="tel"
        autoComplete="tel"
        value={number}
        onChange={setNumber}
        error={wasInvalid ? texts.problems.invalidPhone : ''}
        inputRef={input}
      />
      {children}
    </Form>
  );
}

interface PhoneCodeFormProps extends Pick<NumberFormProps, 'texts' | 'children'> {
  readonly phoneNumber: string;
  readonly finish: (code: string) => void;
}

/** The form for the code that was sent to a phone. */
export function PhoneCodeForm({ texts, phoneNumber, finish, children }: PhoneCodeFormProps) {
  return (
    <CodeForm
      intro={<Notice tone="success" text={texts.factor.smsSent(phoneNumber)} />}
      label={texts.factor.code}
      missing={texts.missing}
      finish={finish}
    >
      {children}
    </CodeForm>
  );
}
