import { Navigate } from 'react-router';
import { projectAddress } from '../../routes/addresses.ts';
import { useSession } from '../../session/session.ts';

/** Goes on to the project of whoever names none. */
export function Start() {
  const { parameters, projects } = useSession();
  const project = parameters.defaultProject ?? projects[0]?.id;
  // Whoever signed in did so to a project.
  if (project === undefined) throw new Error('There is no project to show.');
  return <Navigate to={projectAddress(project)} replace />;
}
