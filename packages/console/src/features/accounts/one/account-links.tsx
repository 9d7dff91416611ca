import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';
import { areaAddress, dataAddress, rulesAddress } from '../../../session/addresses.ts';
import { mainDatabaseOf } from '../../../session/databases.ts';
import { encodeImpersonated, IMPERSONATED } from '../../database/impersonation/model.ts';
import { useAccountScope } from '../use-accounts.ts';

/** Links to the data as rules show it to the user, to the user's denials and connections, and to the audit log of the account. */
export function AccountLinks({ uid }: { readonly uid: string }) {
  const { t } = useTranslation('accounts');
  const { project, tenant } = useAccountScope();
  const database = mainDatabaseOf(project);
  const impersonated = new URLSearchParams({ [IMPERSONATED]: encodeImpersonated({ kind: 'account', uid }) });
  const ofUser = new URLSearchParams({ uid });
  const ofAccount = new URLSearchParams({ uid, ...(tenant === undefined ? {} : { tenant }) });
  const links = {
    data: `${dataAddress(project, database)}?${impersonated}`,
    connections: `${areaAddress(project, 'activity')}/connections?${new URLSearchParams({ database, uid })}`,
    denials: `${rulesAddress(project, database, 'denials')}?${ofUser}`,
    audit: `${areaAddress(project, 'activity')}/audit?${ofAccount}`,
  };
  return (
    <Box
      component="nav"
      aria-label={t('links.label')}
      sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 3, rowGap: 0.5 }}
    >
      {/* Impersonation knows no tenants, on which rules may depend. */}
      {(tenant === undefined
        ? (['data', 'denials', 'connections', 'audit'] as const)
        : (['denials', 'connections', 'audit'] as const)
      ).map((name) => (
        <Link key={name} component={RouterLink} to={links[name]} variant="body2">
          {t(`links.${name}`)}
        </Link>
      ))}
    </Box>
  );
}
