import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { KeysText } from '../ui/keys.tsx';
import { closeOverlay, groupCommands, useCommandRegistry } from './commands.ts';

/** Lists all available commands with their shortcuts. */
export function HelpSheet() {
  const { t } = useTranslation();
  const titleId = useId();
  const commands = useCommandRegistry((registry) => registry.commands);
  return (
    <Dialog open onClose={closeOverlay} aria-labelledby={titleId} fullWidth maxWidth="md">
      <DialogTitle id={titleId}>{t('help.title')}</DialogTitle>
      <DialogContent dividers tabIndex={0}>
        <Typography sx={{ marginBlockEnd: 2 }}>{t('help.text')}</Typography>
        <Box sx={{ columns: { md: 2 }, columnGap: 4 }}>
          {groupCommands(commands)
            .toReversed()
            .map(({ name, commands: ofGroup }) => (
              <Box key={name} component="section" sx={{ breakInside: 'avoid', marginBlockEnd: 3 }}>
                <Typography variant="h3" sx={{ marginBlockEnd: 0.5 }}>
                  {name}
                </Typography>
                <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
                  {ofGroup.map(({ id, title, keys }) => (
                    <Box
                      key={id}
                      component="li"
                      sx={{
                        display: 'flex',
                        gap: 2,
                        paddingBlock: 0.5,
                        borderBlockEnd: 1,
                        borderColor: 'divider',
                      }}
                    >
                      <Box component="bdi" sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
                        {title}
                      </Box>
                      {keys !== undefined && <KeysText keys={keys} />}
                    </Box>
                  ))}
                </Box>
              </Box>
            ))}
        </Box>
      </DialogContent>
      <DialogActions>
        <Button onClick={closeOverlay} autoFocus>
          {t('close')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
