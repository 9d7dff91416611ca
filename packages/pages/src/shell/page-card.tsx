import { keyframes } from '@emotion/react';
import { styled } from '@mui/material/styles';
import { type ReactNode, type Ref, use, useEffect, useRef } from 'react';
import { AppLookContext } from './app-look.ts';
import { Drawing, type DrawingName } from './drawing.tsx';
import { ShownScreenContext } from './shown-screen.ts';

const passing = keyframes({ from: { translate: '-100%' }, to: { translate: '300%' } });

/** A visual progress indicator; screen readers read the heading instead. */
export const Working = styled('div')(({ theme }) => ({
  height: 4,
  overflow: 'hidden',
  borderRadius: 2,
  background: theme.palette.divider,
  '&::after': {
    content: '""',
    display: 'block',
    width: '40%',
    height: '100%',
    borderRadius: 2,
    background: theme.palette.primary.main,
    animation: `${passing} 1.4s ease-in-out infinite`,
  },
}));

/** The color of the drawing. */
export type Tone = 'neutral' | 'success' | 'error';

interface PageCardProps {
  readonly drawing: DrawingName;
  readonly tone?: Tone;
  readonly heading: string;
  /** Identifies the screen. When it changes, the heading gets the focus, so that screen readers read it. */
  readonly screen: string;
  readonly children: ReactNode;
}

/** The card of a page: the app, a drawing, the heading, which is also the document title, and the content. */
export function PageCard({ heading, screen, ...content }: PageCardProps) {
  const headingElement = useRef<HTMLHeadingElement>(null);
  const shownScreen = use(ShownScreenContext);
  useEffect(() => {
    document.title = heading;
  }, [heading]);
  useEffect(() => {
    const { current } = shownScreen;
    if (current !== undefined && current !== screen) headingElement.current?.focus();
    shownScreen.current = screen;
  }, [screen, shownScreen]);
  return (
    <Backdrop>
      <Card {...content} heading={heading} headingRef={headingElement} />
    </Backdrop>
  );
}

interface CardProps extends Omit<PageCardProps, 'screen'> {
  readonly headingRef?: Ref<HTMLHeadingElement>;
}

/** The card without the page around it, as the console also shows it. */
export function Card({ drawing, tone = 'neutral', heading, headingRef, children }: CardProps) {
  const look = use(AppLookContext);
  return (
    <Frame>
      <AppName heading={heading} />
      {(look?.logo === undefined || tone !== 'neutral') && (
        <Badge data-tone={tone}>
          <Drawing names={[drawing]} sizePx={28} />
        </Badge>
      )}
      <Heading ref={headingRef} tabIndex={-1}>
        {heading}
      </Heading>
      {children}
    </Frame>
  );
}

/** The logo or the name of the app, and the name of its tenant. */
function AppName({ heading }: Pick<CardProps, 'heading'>) {
  const look = use(AppLookContext);
  if (look === undefined) return null;
  const { name, tenantName, logo } = look;
  // The heading of some screens has the name already.
  const isNamed = logo === undefined && !heading.includes(name);
  return (
    <>
      {logo !== undefined && <Logo src={logo} alt={name} />}
      {(isNamed || tenantName !== undefined) && (
        <Name>
          {isNamed && <bdi>{name}</bdi>}
          {tenantName !== undefined && <bdi>{tenantName}</bdi>}
        </Name>
      )}
    </>
  );
}

const Logo = styled('img')({
  alignSelf: 'start',
  maxWidth: '100%',
  height: 'auto',
  maxHeight: 64,
  objectFit: 'contain',
  objectPosition: 'left',
});

const Name = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  columnGap: theme.spacing(1),
  fontWeight: 600,
  color: theme.palette.text.secondary,
  '& > * + *::before': { content: '"·"', marginInlineEnd: theme.spacing(1) },
}));

const Backdrop = styled('main')(({ theme }) => ({
  minHeight: '100dvh',
  display: 'flex',
  justifyContent: 'center',
  alignItems: 'flex-start',
  padding: theme.spacing(3, 2),
  [theme.breakpoints.up('sm')]: { alignItems: 'center', padding: theme.spacing(4) },
}));

const Frame = styled('div')(({ theme }) => ({
  width: '100%',
  maxWidth: '27rem',
  padding: theme.spacing(4, 3),
  display: 'flex',
  flexDirection: 'column',
  gap: theme.spacing(2),
  overflowWrap: 'anywhere',
  background: theme.palette.background.paper,
  border: `1px solid ${theme.palette.divider}`,
  // 20 pixels with the radius of Hearth.
  borderRadius: (Number(theme.shape.borderRadius) * 5) / 3,
  [theme.breakpoints.up('sm')]: { padding: theme.spacing(5) },
}));

const Badge = styled('div')(({ theme }) => ({
  width: 52,
  height: 52,
  display: 'grid',
  placeItems: 'center',
  borderRadius: (Number(theme.shape.borderRadius) * 4) / 3,
  color: theme.palette.primary.main,
  background: `color-mix(in srgb, currentColor 13%, transparent)`,
  '&[data-tone="success"]': { color: theme.palette.success.main },
  '&[data-tone="error"]': { color: theme.palette.error.main },
}));

const Heading = styled('h1')(({ theme }) => ({
  ...theme.typography.h1,
  margin: 0,
  outline: 'none',
  textWrap: 'balance',
}));
