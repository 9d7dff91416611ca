import Link from '@mui/material/Link';
import { useTranslation } from 'react-i18next';

/** The first stop of the keyboard: leads past the bar and the areas. */
export function SkipLink() {
  const { t } = useTranslation();
  return (
    <Link
      href="#content"
      onClick={(event) => {
        // The address is the view's: it gets no fragment.
        event.preventDefault();
        document.getElementById('content')?.focus();
      }}
      sx={{
        position: 'absolute',
        insetInlineStart: 8,
        insetBlockStart: -100,
        zIndex: 'tooltip',
        padding: 1,
        borderRadius: 1,
        backgroundColor: 'background.paper',
        '&:focus': { insetBlockStart: 8 },
      }}
    >
      {t('skipToContent')}
    </Link>
  );
}
