import type { Messages } from './messages.ts';

export const MESSAGES: Messages = {
  choose: {
    heading: (provider) => `使用 ${provider} 登录`,
    text: (provider) => `这是开发服务器。请选择或新建一个用户。不会访问 ${provider}。`,
    known: '以前登录过的用户',
    email: '电子邮件地址（选填）',
    name: '姓名（选填）',
    invalidEmail: '请输入有效的电子邮件地址，或将此项留空。',
    add: '以新用户身份登录',
    cancel: '取消',
  },
  delivering: '正在完成登录…',
  delivered: { heading: '已登录', text: '您可以关闭此窗口。' },
  problems: {
    incomplete: { heading: '此地址不完整', text: '请返回应用，重新开始登录。' },
    wrongProject: {
      heading: '未知应用',
      text: '此服务器不认识该应用的 API 密钥。如果您是开发者，请检查应用的配置。',
    },
    unknownTenant: {
      heading: '未知租户',
      text: '该应用的项目中没有此 ID 的租户。如果您是开发者，请检查应用的租户 ID。',
    },
    unknownProvider: {
      heading: '未知的登录服务',
      text: '应用请求的登录服务不存在。如果您是开发者，请检查提供方 ID。',
    },
    providerDisabled: { heading: '此登录方式已关闭', text: '请返回应用，用其他方式登录。' },
    unauthorizedDomain: {
      heading: '此应用不能在这里登录',
      text: '应用的域名未获授权。如果您是开发者，请将其添加到项目的授权域名中。',
    },
    unsupported: { heading: '不支持', text: '不支持这种登录。请返回应用，用其他方式登录。' },
    expired: { heading: '此次登录已失效', text: '登录用时过长，或已经结束。请返回应用重新开始。' },
    otherBrowser: {
      heading: '登录是在另一个浏览器中开始的',
      text: '登录必须在开始时的浏览器中完成，并且要允许 Cookie。请返回应用重新开始。',
    },
    tooMany: { heading: '同时进行的登录过多', text: '请等待几分钟，然后在应用中重新开始。' },
    providerFailed: { heading: '登录服务没有确认此次登录', text: '请返回应用重试，或用其他方式登录。' },
    lost: {
      heading: '应用已不再等待',
      text: '它的窗口已关闭或显示了其他页面。请返回应用重新开始。如果再次发生，应用可以改用重定向。',
    },
    noStorage: { heading: '浏览器不允许存储', text: '请允许此网站存储数据，然后在应用中重新开始。' },
  },
};
