import DataIcon from '@mui/icons-material/AccountTreeOutlined';
import OverviewIcon from '@mui/icons-material/HomeOutlined';
import SignInIcon from '@mui/icons-material/KeyOutlined';
import ActivityIcon from '@mui/icons-material/MonitorHeartOutlined';
import AccountsIcon from '@mui/icons-material/PeopleOutlined';
import RulesIcon from '@mui/icons-material/PolicyOutlined';
import ProjectIcon from '@mui/icons-material/SettingsOutlined';
import type { SvgIconProps } from '@mui/material/SvgIcon';
import type { ComponentType } from 'react';
import { useLocation } from 'react-router';
import { areaAddress, projectAddress } from '../session/addresses.ts';

/** The areas of a project, in navigation order; the first is at the address of the project itself. */
export const AREAS = ['overview', 'data', 'rules', 'accounts', 'sign-in', 'activity', 'settings'] as const;
export type Area = (typeof AREAS)[number];

export const AREA_ICONS: Readonly<Record<Area, ComponentType<SvgIconProps>>> = {
  overview: OverviewIcon,
  data: DataIcon,
  rules: RulesIcon,
  accounts: AccountsIcon,
  'sign-in': SignInIcon,
  activity: ActivityIcon,
  settings: ProjectIcon,
};

/** Second key of the shortcut of an area, after `g`. */
export const AREA_KEYS: Readonly<Record<Area, string>> = {
  overview: 'o',
  data: 'd',
  rules: 'r',
  accounts: 'a',
  'sign-in': 's',
  activity: 'v',
  settings: 'p',
};

export function addressOfArea(project: string, area: Area): string {
  return area === 'overview' ? projectAddress(project) : areaAddress(project, area);
}

/** Returns the area that the address names, or else `overview`. */
export function useArea(): Area {
  const segment = useLocation().pathname.split('/')[3];
  return AREAS.find((area) => area === segment) ?? 'overview';
}
