import AddIcon from '@mui/icons-material/PersonAddOutlined';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AddedMember, Member } from '../../../api/project.ts';
import type { Role } from '../../../api/session.ts';
import { useRights, useSession } from '../../../session/session.ts';
import { ConfirmDialog } from '../../../ui/dialogs.tsx';
import { notify } from '../../../ui/notices.tsx';
import { SectionHead } from '../../../ui/sections.tsx';
import { EmptyState, Loaded } from '../../../ui/states.tsx';
import { AddMemberDialog, NewMemberNotice } from './add-member.tsx';
import { MemberTable } from './member-table.tsx';
import { useMembers } from './use-project.ts';

/** The section for the members of the project. */
export function MembersSection() {
  const { t } = useTranslation('project');
  const { mayOwn } = useRights();
  const { parameters } = useSession();
  const { members, add, changeRole, remove, sendPasswordMail } = useMembers();
  const [isAdding, setIsAdding] = useState(false);
  const [added, setAdded] = useState<AddedMember>();
  const [removing, setRemoving] = useState<Member>();
  const [changing, setChanging] = useState<{ readonly member: Member; readonly role: Role }>();
  const nameOf = (member: Member | undefined): string => member?.email ?? member?.uid ?? '';
  const addButton = mayOwn && (
    <Button variant="contained" startIcon={<AddIcon />} onClick={() => setIsAdding(true)}>
      {t('members.add')}
    </Button>
  );
  return (
    <>
      <SectionHead text={t('members.about')} action={addButton} />
      {parameters.mode === 'development' && (
        <Typography color="textSecondary">{t('members.development')}</Typography>
      )}
      {added !== undefined && (
        <NewMemberNotice
          key={added.uid}
          member={added}
          sendMail={sendPasswordMail}
          close={() => setAdded(undefined)}
        />
      )}
      <Loaded of={members}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState title={t('members.none')}>{t('members.noneHint')}</EmptyState>
          ) : (
            <MemberTable
              members={list}
              mayOwn={mayOwn}
              changeRole={(member, role) => setChanging({ member, role })}
              remove={setRemoving}
            />
          )
        }
      </Loaded>
      <AddMemberDialog
        isOpen={isAdding}
        close={() => setIsAdding(false)}
        add={async (email, role) => {
          setAdded(await add(email, role));
        }}
      />
      <ConfirmDialog
        isOpen={changing !== undefined}
        title={t('members.changeTitle', { name: nameOf(changing?.member) })}
        action={t('members.change')}
        run={async () => {
          if (changing === undefined) return;
          await changeRole(changing.member.uid, changing.role);
          notify({ kind: 'done', text: t('members.changed', { name: nameOf(changing.member) }) });
        }}
        close={() => setChanging(undefined)}
      >
        {changing && t(`role.${changing.role}About`)}
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={removing !== undefined}
        isDestructive
        title={t('members.removeTitle', { name: nameOf(removing) })}
        action={t('members.remove')}
        run={async () => {
          if (removing === undefined) return;
          await remove(removing.uid);
          setAdded(undefined);
          notify({ kind: 'done', text: t('members.removed', { name: nameOf(removing) }) });
        }}
        close={() => setRemoving(undefined)}
      >
        {t('members.removeText')}
      </ConfirmDialog>
    </>
  );
}
