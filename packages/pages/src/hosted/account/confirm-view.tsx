import { type SubmitEvent, useRef, useState } from 'react';
import { maskPhone } from '../../action/code.ts';
import { ActionButton, Field, Form } from '../../shell/form.tsx';
import { Facts, Text } from '../../shell/text.tsx';
import { busyLabel, OtherWay, ProblemNotice, ProviderButtons, type ViewProps } from '../forms.tsx';
import type { HostedProject } from '../parameters.ts';
import type { Stage } from '../use-hosted.ts';
import type { Messages } from './messages/messages.ts';

interface ConfirmViewProps extends ViewProps {
  readonly own: Messages;
  readonly stage: Extract<Stage, { readonly kind: 'confirm' }>;
  readonly project: HostedProject;
}

/** The form with which the user of the account page signs in again. */
export function ConfirmView({ hosted, texts, own, stage, project }: ConfirmViewProps) {
  const { user, task } = stage;
  const [password, setPassword] = useState('');
  const [wasEmpty, setEmpty] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const hasForm = project.isPasswordEnabled && user.email !== '';

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    setEmpty(password === '');
    if (password === '') input.current?.focus();
    else hosted.signIn(user.email, password);
  }

  return (
    <>
      <Text>{own.confirm.text}</Text>
      <Facts facts={[{ label: texts.shared.labels.account, value: user.label }]} />
      {hasForm && (
        <Form onSubmit={submit} noValidate>
          <input type="email" name="email" autoComplete="username" value={user.email} readOnly hidden />
          <Field
            label={texts.own.signIn.password}
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={setPassword}
            error={wasEmpty && password === '' ? texts.own.missing : ''}
            inputRef={input}
          />
          <ProblemNotice hosted={hosted} texts={texts} />
          <ActionButton label={own.confirm.submit} busyLabel={busyLabel({ hosted, texts })} />
        </Form>
      )}
      {!hasForm && <ProblemNotice hosted={hosted} texts={texts} />}
      {project.isEmailLinkEnabled && user.email !== '' && (
        <ActionButton
          label={texts.own.signIn.link}
          variant="outlined"
          onPress={() => hosted.sendLink(user.email)}
        />
      )}
      {project.arePasskeysEnabled && 'PublicKeyCredential' in window && (
        <ActionButton label={texts.own.signIn.passkey} variant="outlined" onPress={hosted.usePasskey} />
      )}
      {project.isPhoneEnabled && user.phone !== '' && (
        <ActionButton
          label={texts.own.factor.sendSms(maskPhone(user.phone))}
          variant="outlined"
          onPress={() => hosted.sendPhoneCode(user.phone)}
        />
      )}
      <ProviderButtons
        providers={project.providers}
        texts={texts}
        onChoose={(id) => hosted.goToProvider(id, { kind: 'confirm', uid: user.uid, task })}
      />
      <OtherWay label={own.cancel} onPress={() => hosted.showAccount(user)} />
    </>
  );
}
