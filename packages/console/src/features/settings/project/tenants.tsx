import AddIcon from '@mui/icons-material/Add';
import DeleteIcon from '@mui/icons-material/DeleteOutlined';
import EditIcon from '@mui/icons-material/EditOutlined';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import Chip from '@mui/material/Chip';
import FormControlLabel from '@mui/material/FormControlLabel';
import IconButton from '@mui/material/IconButton';
import Link from '@mui/material/Link';
import TextField from '@mui/material/TextField';
import { useDeferredValue, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';
import { TENANT_METHODS, type Tenant, type TenantMethod, type TenantSettings } from '../../../api/tenants.ts';
import { accountsAddress } from '../../../session/addresses.ts';
import { useProjectId, useRights } from '../../../session/session.ts';
import { ConfirmDialog } from '../../../ui/dialogs.tsx';
import { notify } from '../../../ui/notices.tsx';
import { SectionHead } from '../../../ui/sections.tsx';
import { EmptyState, Loaded } from '../../../ui/states.tsx';
import { PlainTable } from '../../../ui/tables.tsx';
import { CodeText, UntrustedText } from '../../../ui/text.tsx';
import { TimeText } from '../../../ui/time-text.tsx';
import { useTenants } from './use-tenants.ts';

const METHODS = Object.keys(TENANT_METHODS) as readonly TenantMethod[];

const NEW_TENANT: TenantSettings = { displayName: '', isDisabled: false, methods: ['password'] };

const MAX_NAME_LENGTH = 64;

function nameOf({ id, displayName }: Tenant): string {
  return displayName === '' ? id : displayName;
}

interface TenantTableProps {
  readonly tenants: readonly Tenant[];
  readonly mayChange: boolean;
  change(tenant: Tenant): void;
  remove(tenant: Tenant): void;
}

function TenantTable({ tenants, mayChange, change, remove }: TenantTableProps) {
  const { t } = useTranslation('project');
  const project = useProjectId();
  return (
    <PlainTable
      label={t('section.tenants')}
      head={[
        t('tenants.name'),
        t('tenants.id'),
        t('tenants.methods'),
        t('tenants.since'),
        t('tenants.accounts'),
        mayChange && t('actions'),
      ]}
      rows={tenants.map((tenant) => {
        const { id, isDisabled, methods, createdAtMs } = tenant;
        const name = nameOf(tenant);
        return {
          key: id,
          cells: [
            <UntrustedText key="name" text={name} />,
            <CodeText key="id">{id}</CodeText>,
            isDisabled ? (
              <Chip key="methods" size="small" color="error" label={t('tenants.disabled')} />
            ) : (
              methods.map((method) => t(`tenants.method.${method}`)).join(', ') || t('tenants.noMethods')
            ),
            <TimeText key="since" ms={createdAtMs} />,
            <Link
              key="accounts"
              component={RouterLink}
              to={accountsAddress({ project, tenant: id })}
              aria-label={t('tenants.accountsOf', { name })}
            >
              {t('tenants.accounts')}
            </Link>,
            mayChange && (
              <span key="actions">
                <IconButton
                  size="small"
                  aria-label={t('tenants.changeOf', { name })}
                  onClick={() => change(tenant)}
                >
                  <EditIcon />
                </IconButton>
                <IconButton
                  size="small"
                  aria-label={t('tenants.removeOf', { name })}
                  onClick={() => remove(tenant)}
                >
                  <DeleteIcon />
                </IconButton>
              </span>
            ),
          ],
        };
      })}
    />
  );
}

/** The fields of a new tenant, or of one that is changed. */
type Draft = TenantSettings & { readonly tenant: Tenant | undefined };

interface DraftFieldsProps {
  readonly draft: Draft;
  readonly set: (change: Partial<TenantSettings>) => void;
}

function DraftFields({ draft: { displayName, isDisabled, methods, tenant }, set }: DraftFieldsProps) {
  const { t } = useTranslation('project');
  return (
    <>
      <TextField
        required={tenant === undefined || tenant.displayName !== ''}
        label={t('tenants.name')}
        helperText={t('tenants.nameHint')}
        value={displayName}
        onChange={({ target }) => set({ displayName: target.value })}
        slotProps={{ htmlInput: { maxLength: MAX_NAME_LENGTH, dir: 'auto' } }}
        sx={{ marginBlock: 1 }}
      />
      {METHODS.map((method) => (
        <FormControlLabel
          key={method}
          control={<Checkbox checked={methods.includes(method)} />}
          label={t(`tenants.method.${method}`)}
          onChange={(_event, isOn) =>
            set({ methods: METHODS.filter((one) => (one === method ? isOn : methods.includes(one))) })
          }
        />
      ))}
      {tenant !== undefined && (
        <FormControlLabel
          control={<Checkbox checked={isDisabled} />}
          label={t('tenants.disable')}
          onChange={(_event, isOn) => set({ isDisabled: isOn })}
        />
      )}
    </>
  );
}

/** Lists the tenants of the project, and creates, changes and deletes them. */
export function TenantsSection() {
  const { t } = useTranslation('project');
  const { mayChange } = useRights();
  const [text, setText] = useState('');
  const { list, create, change, remove } = useTenants(useDeferredValue(text.trim()));
  const [draft, setDraft] = useState<Draft>();
  const [removing, setRemoving] = useState<Tenant>();
  const changing = draft?.tenant;
  async function save({ tenant, ...settings }: Draft): Promise<void> {
    await (tenant === undefined ? create(settings) : change(tenant.id, settings));
    const name = settings.displayName === '' ? tenant?.id : settings.displayName;
    notify({ kind: 'done', text: t(tenant === undefined ? 'tenants.added' : 'tenants.changed', { name }) });
  }
  return (
    <>
      <SectionHead
        text={t('tenants.about')}
        action={
          mayChange && (
            <Button
              variant="contained"
              startIcon={<AddIcon />}
              onClick={() => setDraft({ ...NEW_TENANT, tenant: undefined })}
            >
              {t('tenants.add')}
            </Button>
          )
        }
      />
      <Loaded of={list}>
        {({ tenants, count, more, isFetching }) =>
          count === 0 ? (
            <EmptyState title={t('tenants.none')}>{t('tenants.noneHint')}</EmptyState>
          ) : (
            <>
              <TextField
                type="search"
                label={t('tenants.find')}
                value={text}
                onChange={({ target }) => setText(target.value)}
                slotProps={{ htmlInput: { dir: 'auto', spellCheck: false } }}
                sx={{ maxWidth: 560 }}
              />
              {tenants.length === 0 ? (
                <EmptyState title={t('tenants.notFound')} />
              ) : (
                <TenantTable
                  tenants={tenants}
                  mayChange={mayChange}
                  change={(tenant) => setDraft({ ...tenant, tenant })}
                  remove={setRemoving}
                />
              )}
              {more !== null && (
                <Button loading={isFetching} onClick={more} sx={{ alignSelf: 'center' }}>
                  {t('tenants.more')}
                </Button>
              )}
            </>
          )
        }
      </Loaded>
      <ConfirmDialog
        isOpen={draft !== undefined}
        title={changing === undefined ? t('tenants.add') : t('tenants.changeOf', { name: nameOf(changing) })}
        action={t(changing === undefined ? 'tenants.add' : 'tenants.save')}
        run={async () => {
          if (draft !== undefined) await save(draft);
        }}
        close={() => setDraft(undefined)}
      >
        {draft !== undefined && (
          <DraftFields
            draft={draft}
            set={(values) => setDraft((before) => before && { ...before, ...values })}
          />
        )}
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={removing !== undefined}
        isDestructive
        title={t('tenants.removeTitle', { name: removing === undefined ? '' : nameOf(removing) })}
        action={t('tenants.remove')}
        typed={removing?.id ?? ''}
        run={async () => {
          if (removing === undefined) return;
          await remove(removing.id);
          notify({ kind: 'done', text: t('tenants.removed', { name: nameOf(removing) }) });
        }}
        close={() => setRemoving(undefined)}
      >
        {t('tenants.removeText')}
      </ConfirmDialog>
    </>
  );
}
