import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { Link } from 'react-router';

interface SectionTabsProps {
  /** Says what the tabs divide. */
  readonly label: string;
  readonly current: string;
  readonly sections: readonly { readonly id: string; readonly title: string; readonly address: string }[];
}

/** Sections of a view, each at an address of its own. */
export function SectionTabs({ label, current, sections }: SectionTabsProps) {
  return (
    <Tabs
      value={current}
      variant="scrollable"
      allowScrollButtonsMobile
      aria-label={label}
      sx={{ borderBlockEnd: 1, borderColor: 'divider', minHeight: 40, flexShrink: 0 }}
    >
      {sections.map(({ id, title, address }) => (
        <Tab key={id} value={id} label={title} component={Link} to={address} sx={{ minHeight: 40 }} />
      ))}
    </Tabs>
  );
}
