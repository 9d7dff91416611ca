import type { Messages } from './messages.ts';

export const MESSAGES: Messages = {
  choose: {
    heading: (provider) => `Entrar com ${provider}`,
    text: (provider) =>
      `Este é um servidor de desenvolvimento. Escolha um usuário ou crie um. ${provider} não é contatado.`,
    known: 'Usuários que já entraram antes',
    email: 'E-mail (opcional)',
    name: 'Nome (opcional)',
    invalidEmail: 'Digite um e-mail válido ou deixe o campo vazio.',
    add: 'Entrar como novo usuário',
    cancel: 'Cancelar',
  },
  delivering: 'Concluindo a entrada…',
  delivered: { heading: 'Entrada concluída', text: 'Você pode fechar esta janela.' },
  problems: {
    incomplete: { heading: 'Este endereço está incompleto', text: 'Volte ao aplicativo e entre de novo.' },
    wrongProject: {
      heading: 'Aplicativo desconhecido',
      text: 'Este servidor não conhece a chave de API do aplicativo. Se você o desenvolve, confira a configuração.',
    },
    unknownTenant: {
      heading: 'Locatário desconhecido',
      text: 'O projeto do aplicativo não tem um locatário com esse ID. Se você o desenvolve, confira o ID do locatário.',
    },
    unknownProvider: {
      heading: 'Provedor desconhecido',
      text: 'O aplicativo pediu um provedor que não existe. Se você o desenvolve, confira o ID do provedor.',
    },
    providerDisabled: {
      heading: 'Esta forma de entrar está desativada',
      text: 'Volte ao aplicativo e entre de outra forma.',
    },
    unauthorizedDomain: {
      heading: 'Este aplicativo não pode entrar aqui',
      text: 'O domínio do aplicativo não está autorizado. Se você o desenvolve, adicione-o aos domínios autorizados do projeto.',
    },
    unsupported: {
      heading: 'Sem suporte',
      text: 'Este tipo de entrada não tem suporte. Volte ao aplicativo e entre de outra forma.',
    },
    expired: {
      heading: 'Esta entrada não é mais válida',
      text: 'Ela demorou demais ou já terminou. Volte ao aplicativo e comece de novo.',
    },
    otherBrowser: {
      heading: 'Começou em outro navegador',
      text: 'A entrada deve terminar no navegador em que começou, com cookies permitidos. Volte ao aplicativo e comece de novo.',
    },
    tooMany: {
      heading: 'Entradas demais ao mesmo tempo',
      text: 'Espere alguns minutos e comece de novo no aplicativo.',
    },
    providerFailed: {
      heading: 'O provedor não confirmou a entrada',
      text: 'Volte ao aplicativo e tente de novo, ou entre de outra forma.',
    },
    lost: {
      heading: 'O aplicativo não está mais esperando',
      text: 'A janela dele foi fechada ou mostra outra página. Volte ao aplicativo e comece de novo. Se isso se repetir, o aplicativo pode usar um redirecionamento.',
    },
    noStorage: {
      heading: 'O navegador não permite armazenamento',
      text: 'Permita que este site guarde dados e comece de novo no aplicativo.',
    },
  },
};
