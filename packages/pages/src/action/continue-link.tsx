import Button from '@mui/material/Button';
import { Text } from '../shell/text.tsx';
import type { Messages } from './messages/messages.ts';

interface ContinueLinkProps {
  readonly url: URL | undefined;
  readonly messages: Messages;
}

/** The way back to the app, which names where it leads; without one the page has done its part. */
export function ContinueLink({ url, messages }: ContinueLinkProps) {
  if (url === undefined) return <Text>{messages.close}</Text>;
  return (
    <Button
      href={url.href}
      rel="noreferrer"
      variant="contained"
      size="large"
      fullWidth
      disableElevation
      disableRipple
    >
      {messages.continueTo(url.host)}
    </Button>
  );
}
