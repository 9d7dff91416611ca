import Card from '@mui/material/Card';
import CardActionArea from '@mui/material/CardActionArea';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

interface FigureCardProps {
  /** What is counted. */
  readonly title: string;
  /** Where more is told of it. */
  readonly address: string;
  /** `undefined` until it is there. */
  readonly value: ReactNode | undefined;
  readonly detail: string;
}

/** A figure that leads to what it counts. */
export function FigureCard({ title, address, value, detail }: FigureCardProps) {
  return (
    <Card variant="outlined">
      <CardActionArea component={Link} to={address} sx={{ padding: 2, height: '100%', display: 'block' }}>
        <Typography component="h2" variant="body2" color="textSecondary">
          {title}
        </Typography>
        <Typography component="div" sx={{ fontSize: '1.75rem', fontWeight: 650, lineHeight: 1.4 }}>
          {value ?? <Skeleton width={64} />}
        </Typography>
        <Typography variant="body2" color="textSecondary">
          {detail}
        </Typography>
      </CardActionArea>
    </Card>
  );
}
