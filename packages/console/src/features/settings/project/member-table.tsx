import RemoveIcon from '@mui/icons-material/PersonRemoveOutlined';
import IconButton from '@mui/material/IconButton';
import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import { useTranslation } from 'react-i18next';
import type { Member } from '../../../api/project.ts';
import type { Role } from '../../../api/session.ts';
import { PlainTable } from '../../../ui/tables.tsx';
import { TimeText } from '../../../ui/time-text.tsx';
import { Hint } from '../../../ui/tooltip.tsx';

/** Roles of members, from most to fewest rights. */
export const ROLES: readonly Role[] = ['owner', 'editor', 'viewer'];

function nameOf({ email, uid }: Member): string {
  return email ?? uid;
}

interface MemberTableProps {
  readonly members: readonly Member[];
  /** Whether the user may change members. */
  readonly mayOwn: boolean;
  changeRole(member: Member, role: Role): void;
  remove(member: Member): void;
}

/** Lists members with their roles. The last owner cannot leave or get another role, because only owners can change members. */
export function MemberTable({ members, mayOwn, changeRole, remove }: MemberTableProps) {
  const { t } = useTranslation('project');
  const owners = members.filter(({ role }) => role === 'owner').length;
  const isLastOwner = ({ role }: Member): boolean => role === 'owner' && owners === 1;
  // The server sorts members by user ID, but the table shows their names.
  const sorted = members.toSorted((one, other) => nameOf(one).localeCompare(nameOf(other)));
  const head = ['name', 'role', 'secondFactor', 'since'] as const;
  return (
    <PlainTable
      label={t('section.members')}
      head={[...head.map((column) => t(`members.${column}`)), mayOwn && t('actions')]}
      rows={sorted.map((member) => {
        const name = nameOf(member);
        return {
          key: member.uid,
          cells: [
            <bdi key="name">{name}</bdi>,
            mayOwn ? (
              <Select
                key="role"
                value={member.role}
                disabled={isLastOwner(member)}
                onChange={({ target }) => changeRole(member, target.value)}
                slotProps={{ input: { 'aria-label': t('members.roleOf', { name }) } }}
                MenuProps={{ slotProps: { list: { 'aria-label': t('members.roleOf', { name }) } } }}
              >
                {ROLES.map((role) => (
                  <MenuItem key={role} value={role}>
                    {t(`role.${role}`)}
                  </MenuItem>
                ))}
              </Select>
            ) : (
              t(`role.${member.role}`)
            ),
            t(member.hasSecondFactor ? 'members.hasFactor' : 'members.hasNoFactor'),
            <TimeText key="since" ms={member.addedAtMs} />,
            <Hint key="remove" title={t(isLastOwner(member) ? 'members.lastOwner' : 'members.remove')}>
              <span>
                <IconButton
                  size="small"
                  disabled={isLastOwner(member)}
                  aria-label={t('members.removeOf', { name })}
                  onClick={() => remove(member)}
                >
                  <RemoveIcon />
                </IconButton>
              </span>
            </Hint>,
          ],
        };
      })}
    />
  );
}
