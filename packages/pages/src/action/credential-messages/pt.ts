import type { Messages } from './messages.ts';

export const MESSAGES: Messages = {
  currentEmail: 'E‑mail atual',
  newEmail: 'Novo e‑mail',
  removedFactor: 'Segundo fator a remover',
  newPassword: {
    heading: 'Escolha uma nova senha',
    text: 'Sua sessão será encerrada em todos os seus dispositivos.',
    label: 'Nova senha',
    show: 'Mostrar a senha',
    save: 'Salvar a senha',
    requirements: 'Requisitos da senha:',
    met: 'atendido',
    unmet: 'não atendido',
    allMet: 'A senha atende a todos os requisitos.',
    missing: 'A senha não atende a todos os requisitos.',
    minLength: (count) => (count === 1 ? 'pelo menos 1 caractere' : `pelo menos ${count} caracteres`),
    maxLength: (count) => `no máximo ${count} caracteres`,
    lowercase: 'uma letra minúscula (a–z)',
    uppercase: 'uma letra maiúscula (A–Z)',
    digit: 'um dígito (0–9)',
    symbol: 'um caractere especial, por exemplo ! ou ?',
  },
};
