'use strict';
// The page of one counterexample. All texts come from the JSON in the page and go into text nodes only.
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const byId = id => document.getElementById(id);
  const pane = byId('pane'), panel = byId('panel');
  const drawings = [...document.querySelectorAll('#pane > .picture')];
  const LONG = 300;

  // ------------------------------------------------------------------------------------------------- elements

  const add = (to, ...children) => {
    for (const child of children.flat(Infinity))
      if (child !== null && child !== undefined && child !== '')
        to.append(child);
    return to;
  };
  const el = (tag, attributes, ...children) => {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {}))
      if (value !== null && value !== undefined && value !== false)
        node.setAttribute(name, value === true ? '' : value);
    return add(node, ...children);
  };
  const button = (attributes, action, ...children) => {
    const node = el('button', { type: 'button', ...attributes }, ...children);
    node.addEventListener('click', action);
    return node;
  };

  // Long texts are cut, and shown in full on demand.
  const text = string => {
    const letters = [...string];
    if (letters.length <= LONG)
      return el('code', {}, string);
    const code = el('code', {}, letters.slice(0, LONG).join('') + '…');
    const more = button({ class: 'more', 'aria-expanded': 'false' }, () => {
      const open = more.getAttribute('aria-expanded') === 'true';
      code.textContent = open ? letters.slice(0, LONG).join('') + '…' : string;
      more.textContent = open ? `show all ${letters.length} characters` : 'show less';
      more.setAttribute('aria-expanded', String(!open));
    }, `show all ${letters.length} characters`);
    return [code, ' ', more];
  };
  const cut = (string, most) => {
    const letters = [...string];
    return letters.length > most ? letters.slice(0, most - 1).join('') + '…' : string;
  };
  const cutKey = (string, most) => { // keys often differ at the end only
    const letters = [...string], tail = most >> 1;
    return letters.length > most ? letters.slice(0, most - tail - 1).join('') + '…' + letters.slice(-tail).join('') : string;
  };

  // ------------------------------------------------------------------------------------------------- state

  let branch = 0, chosen = null, surrounding = false, zoom = 1, zoomed = false;
  // chosen: null, { edge } or { txn }
  const steps = data.branches.map((_, b) => data.edges.map((e, i) => [e, i]).filter(([e]) => e.cycle && e.branch === b).map(([, i]) => i));
  const drawing = () => drawings[surrounding && drawings.length > 1 ? 1 : 0];
  const stepOf = edge => steps[branch] ? steps[branch].indexOf(edge) : -1;
  const visible = e => e.branch === null || e.branch === branch;
  const shown = t => surrounding || !data.txns[t].near;

  // ------------------------------------------------------------------------------------------------- panel

  const name = t => data.txns[t].label;
  const edgeTitle = e => `${name(e.from)} → ${name(e.to)}`;
  const typeAndKey = e => e.type + (e.key === null ? '' : ' ' + cutKey(e.key, 24));
  const txnButton = t => button({}, () => choose({ txn: t }), name(t));

  const stepButton = i => {
    const e = data.edges[i], n = stepOf(i);
    return button({ 'data-step': n >= 0 ? n : null, 'aria-current': chosen && chosen.edge === i ? 'step' : null },
      () => choose({ edge: i }),
      el('b', {}, `${n >= 0 ? n + 1 + '. ' : ''}${edgeTitle(e)}`), ' ', el('span', { class: 'tag' }, typeAndKey(e)),
      e.why ? el('span', { class: 'why' }, cut(e.why, LONG)) : null);
  };

  const choiceWords = () => {
    const choice = data.branches[branch] && data.branches[branch].choice;
    return choice ? el('p', { class: `choice c${branch % 4}` }, `Choice ${branch + 1} of ${data.branches.length}: ${choice}`) : null;
  };

  const levels = (title, list) => list.length ? [el('h3', {}, title), el('ul', { class: 'levels' }, list.map(name => el('li', {}, name)))] : [];

  const sample = type => {
    const ns = 'http://www.w3.org/2000/svg', svg = document.createElementNS(ns, 'svg');
    const g = document.createElementNS(ns, 'g'), path = document.createElementNS(ns, 'path');
    svg.setAttribute('class', 'picture sample');
    svg.setAttribute('aria-hidden', 'true');
    g.setAttribute('class', type);
    path.setAttribute('class', 'wire');
    path.setAttribute('d', 'M0 5h44');
    g.append(path);
    svg.append(g);
    return svg;
  };

  const legend = () => {
    const used = Object.keys(data.types).filter(type => data.edges.some(e => e.type === type && shown(e.from) && shown(e.to)));
    if (!used.length)
      return null;
    return [el('h3', {}, 'Kinds of arrows'), el('dl', {}, used.map(type =>
      [el('dt', {}, sample(type), ' ', el('code', {}, type)), el('dd', {}, data.types[type])]))];
  };

  const overview = () => {
    const list = steps[branch] || [];
    add(panel,
      el('h2', {}, 'What is wrong'),
      data.summary ? el('p', { class: 'lines' }, data.summary) : null,
      choiceWords(),
      list.length ? el('ol', { class: 'steps' }, list.map(i => el('li', {}, stepButton(i)))) : null,
      levels('Weakest levels that this breaks', data.violated), levels('Strongest levels that it keeps', data.holding),
      legend());
  };

  const showEdge = i => {
    const e = data.edges[i], n = stepOf(i);
    add(panel,
      n >= 0 ? el('p', { class: 'soft' }, `Step ${n + 1} of ${steps[branch].length}`) : null,
      el('h2', {}, edgeTitle(e)),
      choiceWords(),
      e.why ? el('p', { class: 'lines reason' }, e.why) : null,
      el('dl', {},
        el('dt', {}, el('code', {}, e.type)), el('dd', {}, data.types[e.type]),
        e.key === null ? null : [el('dt', {}, 'key'), el('dd', {}, text(e.key))]),
      [e.from, e.to].map(t => [el('h3', {}, txnButton(t)), operations(t)]));
  };

  const operations = t => data.txns[t].ops.length
    ? el('ol', { class: 'ops' }, data.txns[t].ops.map(op => el('li', {}, text(op)))) : el('p', { class: 'soft' }, 'no operations');

  const edgesOf = (t, end) => {
    const list = data.edges.map((e, i) => [e, i]).filter(([e]) => e[end] === t && visible(e) && shown(e.from) && shown(e.to));
    return list.length ? [el('h3', {}, end === 'from' ? 'Comes before' : 'Comes after'),
      el('ul', { class: 'edges' }, list.map(([, i]) => el('li', {}, stepButton(i))))] : null;
  };

  const showTxn = t => {
    const txn = data.txns[t];
    add(panel,
      el('h2', {}, txn.label),
      el('dl', {},
        txn.session === null ? [el('dt', {}, 'initial state'), el('dd', {}, 'what was there before the first transaction')]
          : [el('dt', {}, 'session'), el('dd', {}, `${data.sessions[txn.session]}, transaction ${txn.position + 1} of it`)],
        txn.session === null ? null : [el('dt', {}, 'outcome'), el('dd', {}, txn.status)],
        txn.begin === null ? null : [el('dt', {}, 'began'), el('dd', {}, txn.begin)],
        txn.end === null ? null : [el('dt', {}, 'ended'), el('dd', {}, txn.end)],
        txn.near ? [el('dt', {}, 'part'), el('dd', {}, 'surrounding: the violation does not need it')] : null),
      txn.note ? el('p', {}, txn.note) : null,
      el('h3', {}, 'Operations'), operations(t), edgesOf(t, 'to'), edgesOf(t, 'from'));
  };

  // ------------------------------------------------------------------------------------------------- drawing

  const isChosen = node => {
    if (!chosen)
      return false;
    const edge = node.dataset.edge, txn = node.dataset.txn;
    if (chosen.edge !== undefined) {
      const e = data.edges[chosen.edge];
      return edge !== undefined ? +edge === chosen.edge : +txn === e.from || +txn === e.to;
    }
    return txn !== undefined && +txn === chosen.txn;
  };

  const paint = () => {
    drawings.forEach(d => d.toggleAttribute('hidden', d !== drawing()));
    const now = drawing();
    now.classList.toggle('stepping', !!chosen && chosen.edge !== undefined);
    for (const node of now.querySelectorAll('[data-edge], [data-txn]')) {
      node.classList.toggle('chosen', isChosen(node));
      if (node.dataset.edge !== undefined)
        node.classList.toggle('off', !visible(data.edges[node.dataset.edge]));
    }
    now.style.width = now.dataset.width * zoom + 'px';
    now.style.height = now.dataset.height * zoom + 'px';
    keepNames();
  };

  // Names of lanes stay at the left edge.
  const keepNames = () => {
    const names = drawing().querySelector('.names');
    const left = Math.max(0, pane.scrollLeft - 12) / zoom;
    names.setAttribute('transform', `translate(${left} 0)`);
    names.classList.toggle('floating', left > 0);
  };
  pane.addEventListener('scroll', keepNames, { passive: true });

  const reveal = () => {
    const nodes = [...drawing().querySelectorAll('.chosen')].map(n => n.getBoundingClientRect()).filter(r => r.width || r.height);
    if (!nodes.length)
      return;
    const area = pane.getBoundingClientRect();
    const left = Math.min(...nodes.map(r => r.left)) - area.left, right = Math.max(...nodes.map(r => r.right)) - area.left;
    const top = Math.min(...nodes.map(r => r.top)) - area.top, bottom = Math.max(...nodes.map(r => r.bottom)) - area.top;
    const shift = (low, high, size) => low < 100 || high > size - 20 ? (high - low > size - 140 ? low - 100 : (low + high) / 2 - size / 2) : 0;
    pane.scrollBy(shift(left, right, area.width), shift(top, bottom, area.height));
  };

  // ------------------------------------------------------------------------------------------------- controls

  const update = () => {
    panel.replaceChildren();
    if (!chosen)
      overview();
    else if (chosen.edge !== undefined)
      showEdge(chosen.edge);
    else
      showTxn(chosen.txn);
    panel.scrollTop = 0;
    const n = chosen && chosen.edge !== undefined ? stepOf(chosen.edge) : -1, count = (steps[branch] || []).length;
    byId('where').textContent = count ? (n < 0 ? `${count} steps` : `step ${n + 1} of ${count}`) : 'no cycle';
    byId('previous').disabled = byId('next').disabled = !count;
    byId('back').disabled = !chosen;
    byId('surrounding').setAttribute('aria-pressed', String(surrounding));
    if (byId('branch'))
      byId('branch').value = String(branch);
    byId('zoom').textContent = Math.round(zoom * 100) + '%';
    paint();
  };

  const choose = what => {
    chosen = what;
    if (what && what.edge !== undefined) {
      const e = data.edges[what.edge];
      if (e.branch !== null)
        branch = e.branch;
      surrounding = surrounding || data.txns[e.from].near || data.txns[e.to].near;
    } else if (what)
      surrounding = surrounding || data.txns[what.txn].near;
    update();
    reveal();
  };

  const step = by => {
    const list = steps[branch] || [];
    if (!list.length)
      return;
    const now = chosen && chosen.edge !== undefined ? stepOf(chosen.edge) : -1;
    choose({ edge: list[now < 0 ? (by > 0 ? 0 : list.length - 1) : (now + by + list.length) % list.length] });
  };

  const goToBranch = to => {
    if (data.branches.length < 2)
      return;
    branch = (to + data.branches.length) % data.branches.length;
    choose(null);
  };

  const toggleSurrounding = () => {
    if (drawings.length < 2)
      return;
    surrounding = !surrounding;
    if (chosen && (chosen.txn !== undefined ? !shown(chosen.txn) : !shown(data.edges[chosen.edge].from) || !shown(data.edges[chosen.edge].to)))
      chosen = null;
    zoomAtFirst();
    update();
    reveal();
  };

  // A small picture may fill the place that there is; a large one starts in a size that can be read, at its beginning. Whoever chose a size keeps it.
  const zoomAtFirst = () => {
    if (!zoomed)
      zoom = Math.min(1.5, Math.max(0.75, room()));
  };
  const setZoom = to => {
    zoom = Math.min(3, Math.max(0.02, to));
    zoomed = true;
    update();
  };
  const room = () => Math.min((pane.clientWidth - 40) / drawing().dataset.width, (pane.clientHeight - 40) / drawing().dataset.height);
  const fit = () => setZoom(Math.min(2, room()));

  const isDark = () => {
    const theme = document.documentElement.dataset.theme;
    return theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  };
  const showTheme = () => byId('theme').setAttribute('aria-pressed', String(isDark()));
  const toggleTheme = () => {
    document.documentElement.dataset.theme = isDark() ? 'light' : 'dark';
    showTheme();
  };
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', showTheme);

  const help = byId('help');
  const toggleHelp = () => help.open ? help.close() : help.showModal();

  const on = (id, action) => byId(id) && byId(id).addEventListener('click', action);
  on('previous', () => step(-1));
  on('next', () => step(1));
  on('back', () => choose(null));
  on('surrounding', toggleSurrounding);
  on('theme', toggleTheme);
  on('larger', () => setZoom(zoom * 1.25));
  on('smaller', () => setZoom(zoom / 1.25));
  on('zoom', () => setZoom(1));
  on('fit', fit);
  on('ask', toggleHelp);
  on('close', toggleHelp);
  on('previous-branch', () => goToBranch(branch - 1));
  on('next-branch', () => goToBranch(branch + 1));

  if (byId('branch')) {
    data.branches.forEach((b, i) => byId('branch').append(el('option', { value: i }, `${i + 1}. ${cut(b.choice || 'cycle', 80)}`)));
    byId('branch').addEventListener('change', event => goToBranch(+event.target.value));
  }

  const pick = node => {
    const at = node.closest && node.closest('[data-edge], [data-txn]');
    if (!at)
      return false;
    choose(at.dataset.edge !== undefined ? { edge: +at.dataset.edge } : { txn: +at.dataset.txn });
    return true;
  };
  pane.addEventListener('click', event => {
    if (String(getSelection())) // text was marked, nothing was chosen
      return;
    if (!pick(event.target) && chosen)
      choose(null);
  });

  const keys = {
    ArrowRight: () => step(1), j: () => step(1), ArrowLeft: () => step(-1), k: () => step(-1),
    ']': () => goToBranch(branch + 1), '[': () => goToBranch(branch - 1),
    s: toggleSurrounding, d: toggleTheme, f: fit, '+': () => setZoom(zoom * 1.25), '-': () => setZoom(zoom / 1.25), '0': () => setZoom(1),
    Escape: () => choose(null), '?': toggleHelp,
  };
  document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === 'SELECT')
      return;
    if (help.open) {
      if (event.key === '?')
        toggleHelp();
      return;
    }
    if ((event.key === 'Enter' || event.key === ' ') && event.target.closest('.picture') && pick(event.target)) {
      event.preventDefault();
      return;
    }
    if (!Object.hasOwn(keys, event.key))
      return;
    event.preventDefault();
    keys[event.key]();
  });

  byId('surrounding').disabled = drawings.length < 2;
  showTheme();
  update(); // the bar and the panel decide how much room there is
  zoomAtFirst();
  update();
})();
