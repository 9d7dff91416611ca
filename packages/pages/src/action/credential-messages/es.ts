import type { Messages } from './messages.ts';

export const MESSAGES: Messages = {
  currentEmail: 'Correo electrónico actual',
  newEmail: 'Correo electrónico nuevo',
  removedFactor: 'Segundo factor que se quitará',
  newPassword: {
    heading: 'Elige una contraseña nueva',
    text: 'Se cerrará tu sesión en todos tus dispositivos.',
    label: 'Contraseña nueva',
    show: 'Mostrar la contraseña',
    save: 'Guardar la contraseña',
    requirements: 'Requisitos de la contraseña:',
    met: 'cumplido',
    unmet: 'falta',
    allMet: 'La contraseña cumple todos los requisitos.',
    missing: 'La contraseña no cumple todos los requisitos.',
    minLength: (count) => (count === 1 ? 'al menos 1 carácter' : `al menos ${count} caracteres`),
    maxLength: (count) => `como máximo ${count} caracteres`,
    lowercase: 'una letra minúscula (a–z)',
    uppercase: 'una letra mayúscula (A–Z)',
    digit: 'un dígito (0–9)',
    symbol: 'un carácter especial, por ejemplo ! o ?',
  },
};
