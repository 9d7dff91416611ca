import type { Messages } from './messages.ts';

export const MESSAGES: Messages = {
  choose: {
    heading: (provider) => `Iniciar sesión con ${provider}`,
    text: (provider) =>
      `Este es un servidor de desarrollo. Elige un usuario o crea uno. No se contacta con ${provider}.`,
    known: 'Usuarios que ya iniciaron sesión',
    email: 'Correo electrónico (opcional)',
    name: 'Nombre (opcional)',
    invalidEmail: 'Escribe un correo electrónico válido o deja el campo vacío.',
    add: 'Iniciar sesión como usuario nuevo',
    cancel: 'Cancelar',
  },
  delivering: 'Terminando el inicio de sesión…',
  delivered: { heading: 'Sesión iniciada', text: 'Puedes cerrar esta ventana.' },
  problems: {
    incomplete: {
      heading: 'Esta dirección está incompleta',
      text: 'Vuelve a la aplicación e inicia sesión de nuevo.',
    },
    wrongProject: {
      heading: 'Aplicación desconocida',
      text: 'Este servidor no conoce la clave de API de la aplicación. Si la desarrollas, revisa su configuración.',
    },
    unknownTenant: {
      heading: 'Inquilino desconocido',
      text: 'El proyecto de la aplicación no tiene ningún inquilino con este ID. Si la desarrollas, revisa su ID de inquilino.',
    },
    unknownProvider: {
      heading: 'Proveedor desconocido',
      text: 'La aplicación pidió un proveedor que no existe. Si la desarrollas, revisa el ID del proveedor.',
    },
    providerDisabled: {
      heading: 'Esta forma de iniciar sesión está desactivada',
      text: 'Vuelve a la aplicación e inicia sesión de otra forma.',
    },
    unauthorizedDomain: {
      heading: 'Esta aplicación no puede iniciar sesión aquí',
      text: 'El dominio de la aplicación no está autorizado. Si la desarrollas, añádelo a los dominios autorizados del proyecto.',
    },
    unsupported: {
      heading: 'No se admite',
      text: 'Esta clase de inicio de sesión no se admite. Vuelve a la aplicación e inicia sesión de otra forma.',
    },
    expired: {
      heading: 'Este inicio de sesión ya no es válido',
      text: 'Tardó demasiado o ya terminó. Vuelve a la aplicación y empieza de nuevo.',
    },
    otherBrowser: {
      heading: 'Empezado en otro navegador',
      text: 'El inicio de sesión debe terminar en el navegador en que empezó, con las cookies permitidas. Vuelve a la aplicación y empieza de nuevo.',
    },
    tooMany: {
      heading: 'Demasiados inicios de sesión a la vez',
      text: 'Espera unos minutos y empieza de nuevo en la aplicación.',
    },
    providerFailed: {
      heading: 'El proveedor no confirmó el inicio de sesión',
      text: 'Vuelve a la aplicación e inténtalo otra vez, o inicia sesión de otra forma.',
    },
    lost: {
      heading: 'La aplicación ya no espera',
      text: 'Su ventana se cerró o muestra otra página. Vuelve a la aplicación y empieza de nuevo. Si se repite, la aplicación puede usar una redirección.',
    },
    noStorage: {
      heading: 'El navegador no permite guardar datos',
      text: 'Permite que este sitio guarde datos y empieza de nuevo en la aplicación.',
    },
  },
};
