import Button from '@mui/material/Button';
import { type SubmitEvent, useRef, useState } from 'react';
import { ActionButton, Field, Form } from '../shell/form.tsx';
import { Notice, Text } from '../shell/text.tsx';
import type { HostedProject, OfferedProvider } from './parameters.ts';
import { describeProblem, type Texts } from './texts.ts';
import type { Hosted } from './use-hosted.ts';

export interface ViewProps {
  readonly hosted: Hosted;
  readonly texts: Texts;
}

/** The problem of the last request. */
export function ProblemNotice({ hosted: { progress }, texts }: ViewProps) {
  return (
    <Notice tone="error" text={progress.kind === 'failed' ? describeProblem(progress.problem, texts) : ''} />
  );
}

/** Returns the text that the button of a form announces while its request runs. */
export function busyLabel({ hosted: { progress }, texts }: ViewProps): string | undefined {
  return progress.kind === 'busy' ? texts.shared.busy : undefined;
}

/** A button that looks like a link, for another way. */
export function OtherWay({ label, onPress }: { readonly label: string; readonly onPress: () => void }) {
  return (
    <Button variant="text" fullWidth disableRipple onClick={onPress}>
      {label}
    </Button>
  );
}

/** Returns the state of an address field. */
export function useEmail(texts: Pick<Texts, 'shared'>, first = '') {
  const [email, setEmail] = useState(first);
  const [wasInvalid, setInvalid] = useState(false);
  const inputRef = useRef<HTMLInputElement>(null);
  return {
    /** Returns whether the address is valid. If it is not, shows an error and moves the focus to the field. */
    check(): boolean {
      // `validity` is the browser's check of the format.
      const isValid = email !== '' && inputRef.current?.validity.valid === true;
      setInvalid(!isValid);
      if (!isValid) inputRef.current?.focus();
      return isValid;
    },
    value: email.trim(),
    field: {
      label: texts.shared.resetMail.label,
      type: 'email' as const,
      value: email,
      onChange: setEmail,
      error: wasInvalid ? texts.shared.resetMail.invalid : '',
      inputRef,
    },
  };
}

/** The form for an address and a password, with the other ways to sign in. */
export function SignInForm({ hosted, texts, project }: ViewProps & { readonly project: HostedProject }) {
  const email = useEmail(texts);
  const [password, setPassword] = useState('');
  const [wasEmpty, setEmpty] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const { signIn } = texts.own;

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    setEmpty(password === '');
    if (!email.check()) return;
    if (password === '') input.current?.focus();
    else hosted.signIn(email.value, password);
  }

  return (
    <>
      {project.isPasswordEnabled && (
        <Form onSubmit={submit} noValidate>
          <Field {...email.field} autoComplete="username webauthn" />
          <Field
            label={signIn.password}
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={setPassword}
            error={wasEmpty && password === '' ? texts.own.missing : ''}
            inputRef={input}
          />
          <ProblemNotice hosted={hosted} texts={texts} />
          <ActionButton label={signIn.submit} busyLabel={busyLabel({ hosted, texts })} />
        </Form>
      )}
      {!project.isPasswordEnabled && <ProblemNotice hosted={hosted} texts={texts} />}
      {project.isEmailLinkEnabled && (
        <ActionButton
          label={signIn.link}
          variant="outlined"
          onPress={() => hosted.showLink(project.isPasswordEnabled ? email.value : '')}
        />
      )}
      {project.arePasskeysEnabled && 'PublicKeyCredential' in window && (
        <ActionButton label={signIn.passkey} variant="outlined" onPress={hosted.usePasskey} />
      )}
      {project.isPhoneEnabled && (
        <ActionButton label={signIn.phone} variant="outlined" onPress={hosted.showPhone} />
      )}
      <ProviderButtons
        providers={project.providers}
        texts={texts}
        onChoose={(id) => hosted.goToProvider(id, { kind: 'signIn' })}
      />
      {project.isPasswordEnabled && <OtherWay label={signIn.forgot} onPress={() => hosted.show('forgot')} />}
      {project.isPasswordEnabled && project.isSignUpEnabled && (
        <OtherWay label={signIn.create} onPress={() => hosted.show('signUp')} />
      )}
    </>
  );
}

interface ProviderButtonsProps extends Pick<ViewProps, 'texts'> {
  readonly providers: readonly OfferedProvider[];
  readonly onChoose: (providerId: string) => void;
}

/** The ways to sign in with other providers. */
export function ProviderButtons({ providers, texts, onChoose }: ProviderButtonsProps) {
  return providers.map(({ id, name }) => (
    <ActionButton
      key={id}
      label={texts.own.signIn.provider(name)}
      variant="outlined"
      onPress={() => onChoose(id)}
    />
  ));
}

/** The form that sends a password reset email. */
export function ForgotForm({ hosted, texts }: ViewProps) {
  const email = useEmail(texts);
  const { invitation, send, sent } = texts.shared.resetMail;
  const isSent = hosted.progress.kind === 'sent';

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    if (email.check()) hosted.sendReset(email.value);
  }

  return (
    <>
      <Notice tone="success" text={isSent ? sent : ''} />
      {!isSent && (
        <Form onSubmit={submit} noValidate>
          <Text>{invitation}</Text>
          <Field {...email.field} autoComplete="email" />
          <ProblemNotice hosted={hosted} texts={texts} />
          <ActionButton label={send} busyLabel={busyLabel({ hosted, texts })} />
        </Form>
      )}
      <OtherWay label={texts.own.forgot.back} onPress={() => hosted.show('signIn')} />
    </>
  );
}
