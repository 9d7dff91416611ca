import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  idOf,
  kindOf,
  type ProviderChange,
  type ProviderConfig,
  type ProviderPreset,
  type SamlIdentityProvider,
} from '../../../../api/providers.ts';
import { ConfirmDialog } from '../../../../ui/dialogs.tsx';
import { isWebAddress } from '../functions.tsx';
import { findProblemAt } from '../setting-fields.tsx';
import { SwitchSetting } from '../switch-setting.tsx';
import { certificatesIn } from './certificates.ts';
import { CertificateEnds, SamlMetadata, SamlService } from './saml-fields.tsx';

/** The typed fields of a provider. Secrets are empty to keep the stored ones. */
export interface TypedProvider {
  readonly id: string;
  readonly isEnabled: boolean;
  readonly displayName: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly teamId: string;
  readonly keyId: string;
  readonly privateKey: string;
  readonly idpEntityId: string;
  readonly ssoUrl: string;
  /** Certificates in PEM, one after the other. */
  readonly certificates: string;
  readonly spEntityId: string;
  readonly signsRequests: boolean;
}

type Field = Exclude<keyof TypedProvider, 'id' | 'isEnabled' | 'signsRequests'>;

/** The value of the choice for a provider that speaks OpenID Connect. */
const OIDC = 'oidc.';
/** The value of the choice for a provider that speaks SAML. */
const SAML = 'saml.';
const APPLE = 'apple.com';
const CUSTOM_ID = /^(?:oidc|saml)\.[\w.-]{1,123}$/;

/** Returns the text fields of a provider in their order. */
function fieldsOf(id: string): readonly Field[] {
  if (kindOf(id) === 'saml') return ['displayName', 'idpEntityId', 'ssoUrl', 'certificates', 'spEntityId'];
  if (kindOf(id) === 'oidc') return ['displayName', 'issuer', 'clientId', 'clientSecret'];
  return id === APPLE ? ['clientId', 'teamId', 'keyId', 'privateKey'] : ['clientId', 'clientSecret'];
}

/** Paths of the fields in the configuration. The server begins an error message about a field with its path. */
const PATHS: Readonly<Record<Field, string>> = {
  displayName: 'displayName',
  issuer: 'issuer',
  clientId: 'clientId',
  clientSecret: 'clientSecret',
  teamId: 'appleSignInConfig.codeFlowConfig.teamId',
  keyId: 'appleSignInConfig.codeFlowConfig.keyId',
  privateKey: 'appleSignInConfig.codeFlowConfig.privateKey',
  idpEntityId: 'idpConfig.idpEntityId',
  ssoUrl: 'idpConfig.ssoUrl',
  certificates: 'idpConfig.idpCertificates',
  spEntityId: 'spConfig.spEntityId',
};

export function decodeProvider(config: ProviderConfig): TypedProvider {
  const { teamId = '', keyId = '' } = config.appleSignInConfig?.codeFlowConfig ?? {};
  return {
    id: idOf(config),
    isEnabled: config.enabled === true,
    displayName: config.displayName ?? '',
    issuer: config.issuer ?? '',
    clientId: config.clientId ?? '',
    clientSecret: '',
    teamId,
    keyId,
    privateKey: '',
    ...decodeSaml(config.idpConfig ?? {}),
    spEntityId: config.spConfig?.spEntityId ?? '',
  };
}

/** Returns the fields that the metadata of a SAML provider fill. */
function decodeSaml({
  idpEntityId = '',
  ssoUrl = '',
  signRequest = false,
  idpCertificates = [],
}: SamlIdentityProvider): Pick<TypedProvider, 'idpEntityId' | 'ssoUrl' | 'signsRequests' | 'certificates'> {
  const certificates = idpCertificates.map(({ x509Certificate = '' }) => x509Certificate.trim()).join('\n');
  return { idpEntityId, ssoUrl, signsRequests: signRequest, certificates };
}

/** Returns the members of the configuration as typed, without secrets that the user did not type. */
export function encodeProvider(typed: TypedProvider): ProviderChange {
  const { id, isEnabled, displayName, issuer, clientId, clientSecret, teamId, keyId, privateKey } = typed;
  const shared = { enabled: isEnabled };
  if (kindOf(id) === 'saml')
    return {
      ...shared,
      displayName: displayName === '' ? undefined : displayName,
      idpConfig: {
        idpEntityId: typed.idpEntityId.trim(),
        ssoUrl: typed.ssoUrl.trim(),
        signRequest: typed.signsRequests,
        idpCertificates: certificatesIn(typed.certificates).map((x509Certificate) => ({ x509Certificate })),
      },
      spConfig: { spEntityId: typed.spEntityId.trim() },
    };
  const client = { ...shared, clientId: clientId.trim(), ...(clientSecret === '' ? {} : { clientSecret }) };
  if (kindOf(id) === 'oidc')
    return {
      ...client,
      displayName: displayName === '' ? undefined : displayName,
      issuer: issuer.trim(),
      ...(clientSecret === '' ? {} : { responseType: { code: true } }),
    };
  if (id !== APPLE || (teamId === '' && keyId === '' && privateKey === '')) return client;
  const key = { teamId, keyId, ...(privateKey === '' ? {} : { privateKey }) };
  return { ...client, appleSignInConfig: { codeFlowConfig: key } };
}

/** Returns the text keys of the problems, by field. */
export function checkProvider(typed: TypedProvider): Readonly<Partial<Record<Field | 'id', Problem>>> {
  const fields = fieldsOf(typed.id);
  return {
    ...(kindOf(typed.id) !== 'preset' && !CUSTOM_ID.test(typed.id) ? { id: 'notId' as const } : {}),
    ...(fields.includes('clientId') && typed.clientId.trim() === '' ? { clientId: 'missing' as const } : {}),
    ...(fields.includes('issuer') && !isWebAddress(typed.issuer.trim())
      ? { issuer: 'notIssuer' as const }
      : {}),
    ...(kindOf(typed.id) === 'saml' ? checkSaml(typed) : {}),
  };
}

function checkSaml(typed: TypedProvider): Readonly<Partial<Record<Field, Problem>>> {
  return {
    ...(typed.idpEntityId.trim() === '' ? { idpEntityId: 'empty' as const } : {}),
    ...(isWebAddress(typed.ssoUrl.trim()) ? {} : { ssoUrl: 'notSsoUrl' as const }),
    ...(certificatesIn(typed.certificates).length === 0 ? { certificates: 'noCertificate' as const } : {}),
    ...(typed.spEntityId.trim() === '' ? { spEntityId: 'empty' as const } : {}),
  };
}

type Problem = 'notId' | 'missing' | 'notIssuer' | 'empty' | 'notSsoUrl' | 'noCertificate';

interface ProviderDialogProps {
  /** The provider to change; `null` to add one. */
  readonly config: ProviderConfig | null;
  /** The providers that can be added. */
  readonly presets: readonly ProviderPreset[];
  readonly save: (id: string, config: ProviderChange) => Promise<void>;
  readonly close: () => void;
}

/** The form of a provider, which saves it. */
export function ProviderDialog({ config, presets, save, close }: ProviderDialogProps) {
  const { t } = useTranslation('sign-in');
  const [typed, setTyped] = useState<TypedProvider>(() =>
    decodeProvider(config ?? { name: presets[0]?.idpId ?? OIDC, enabled: true }),
  );
  const [error, setError] = useState<unknown>();
  const [isChecked, setIsChecked] = useState(false);
  const problems = isChecked ? checkProvider(typed) : {};
  const change = (part: Partial<TypedProvider>): void => setTyped((before) => ({ ...before, ...part }));
  const kind = kindOf(typed.id);
  /** Returns the first values of a new provider. */
  function startOf(id: string): Partial<TypedProvider> {
    return id === SAML && typed.spEntityId === '' ? { id, spEntityId: location.origin } : { id };
  }
  function hintOf(field: Field): ReactNode {
    switch (field) {
      case 'clientSecret':
      case 'privateKey':
        return t('smtp.passwordHint');
      case 'certificates':
        return <CertificateEnds certificates={typed.certificates} />;
      case 'spEntityId':
        return t('providers.saml.aboutEntity');
      default:
        return undefined;
    }
  }
  async function run(): Promise<void> {
    setIsChecked(true);
    if (Object.keys(checkProvider(typed)).length > 0) throw new Error(t('providers.incomplete'));
    try {
      await save(typed.id, encodeProvider(typed));
    } catch (failure) {
      setError(failure);
      throw failure;
    }
  }
  return (
    <ConfirmDialog
      isOpen
      title={config === null ? t('providers.add') : t('providers.editOf', { id: idOf(config) })}
      action={t('changes.save')}
      run={run}
      close={close}
    >
      {config === null && (
        <TextField
          select
          label={t('providers.provider')}
          value={kind === 'preset' ? typed.id : `${kind}.`}
          onChange={(event) => change(startOf(event.target.value))}
          sx={{ marginBlockStart: 1 }}
        >
          {presets.map(({ idpId, description }) => (
            <MenuItem key={idpId} value={idpId}>
              {description}
            </MenuItem>
          ))}
          <MenuItem value={OIDC}>OpenID Connect</MenuItem>
          <MenuItem value={SAML}>SAML</MenuItem>
        </TextField>
      )}
      {config === null && kind !== 'preset' && (
        <TextField
          label={t('providers.id')}
          value={typed.id}
          error={problems.id !== undefined}
          helperText={t('providers.problem.notId', { prefix: `${kind}.` })}
          onChange={(event) =>
            change({ id: event.target.value.startsWith(`${kind}.`) ? event.target.value : `${kind}.` })
          }
          slotProps={{ htmlInput: { dir: 'ltr', spellCheck: false } }}
        />
      )}
      {kind === 'saml' && <SamlMetadata fill={(provider) => change(decodeSaml(provider))} />}
      {fieldsOf(typed.id).map((field) => {
        const problem = problems[field];
        const wrong =
          problem === undefined
            ? findProblemAt(error, PATHS[field])
            : t(`providers.problem.${problem}`, { prefix: `${kind}.` });
        return (
          <TextField
            key={field}
            label={t(`providers.field.${field}`)}
            value={typed[field]}
            multiline={field === 'privateKey' || field === 'certificates'}
            maxRows={6}
            type={field === 'clientSecret' ? 'password' : 'text'}
            autoComplete={field === 'clientSecret' ? 'new-password' : 'off'}
            error={wrong !== undefined}
            helperText={wrong ?? hintOf(field)}
            onChange={(event) => change({ [field]: event.target.value })}
            slotProps={{
              htmlInput: { dir: field === 'displayName' ? 'auto' : 'ltr', spellCheck: false },
            }}
          />
        );
      })}
      {kind === 'saml' && (
        <>
          <SwitchSetting
            label={t('providers.saml.sign')}
            about={t('providers.saml.aboutSign')}
            isOn={typed.signsRequests}
            isDisabled={false}
            set={(signsRequests) => change({ signsRequests })}
          />
          <SamlService id={typed.id} entityId={typed.spEntityId} />
        </>
      )}
      <SwitchSetting
        label={t('providers.enabled')}
        about={t('providers.aboutEnabled')}
        isOn={typed.isEnabled}
        isDisabled={false}
        set={(isEnabled) => change({ isEnabled })}
      />
    </ConfirmDialog>
  );
}
