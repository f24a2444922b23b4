'use strict';
/* Stepping through the executions of a report. Without scripts the page shows the same, but stands still.
   Each section.finding has its steps in a table and the rest as JSON: see html.c. */
(() => {
  const ROW = 22, LANE = 22, EDGE = 14;
  const el = (tag, cls, text) => {
    const e = document.createElement(tag);
    if (cls) e.className = cls;
    if (text !== undefined) e.textContent = text;
    return e;
  };
  const sources = JSON.parse(document.getElementById('sources').textContent);
  const lines = sources.map(s => s.text.split('\n'));

  function finding(section) {
    const data = JSON.parse(section.querySelector('script').textContent);
    const rows = [...section.querySelectorAll('.steps tbody tr')];
    const svg = section.querySelector('.steps svg');
    const grid = section.querySelector('.grid');
    let now = rows.length - 1, visible = rows.map((_, i) => i);

    /* tools */
    const tools = section.querySelector('.tools');
    const slider = el('input'); slider.type = 'range'; slider.min = 1; slider.max = rows.length;
    slider.setAttribute('aria-label', 'step');
    const back = el('button', '', '◀'); back.title = 'one step back (arrow up)'; back.setAttribute('aria-label', 'one step back');
    const next = el('button', '', '▶'); next.title = 'one step on (arrow down)'; next.setAttribute('aria-label', 'one step on');
    const where = el('span', 'mono'); where.setAttribute('aria-live', 'polite');
    const find = el('input'); find.type = 'search'; find.placeholder = 'find in steps'; find.setAttribute('aria-label', 'find in steps');
    tools.append(back, slider, next, where, find);
    const boxes = data.threads.map(t => {
      const label = el('label', 'i' + t.lane % 8), box = el('input');
      box.type = 'checkbox'; box.checked = true;
      label.append(box, ' ' + t.name);
      tools.append(label);
      box.addEventListener('change', filter);
      return box;
    });
    const plainLabel = el('label'), plain = el('input');
    plain.type = 'checkbox'; plain.checked = true;
    plainLabel.append(plain, ' plain accesses');
    if (rows.some(r => r.classList.contains('plain'))) tools.append(plainLabel);
    plain.addEventListener('change', filter);
    const foldLabel = el('label'), fold = el('input');
    fold.type = 'checkbox';
    fold.className = 'fold';
    foldLabel.append(fold, ' fold turns');
    foldLabel.title = 'one line for each turn of a thread';
    tools.append(foldLabel);
    fold.addEventListener('change', filter);
    find.addEventListener('input', filter);
    tools.hidden = false;

    /* what is beside the steps */
    const aside = el('aside');
    aside.setAttribute('aria-label', 'the state at this step');
    grid.append(aside);

    function lane(thread) { return data.lanes[thread]; }
    function x(thread) { return EDGE + lane(thread) * LANE; }

    function draw() {
      if (!svg) return; /* too many threads for a diagram */
      const at = new Map();
      visible.forEach((r, y) => at.set(r, y * ROW + ROW / 2));
      const dots = {}, spans = {};
      let arrows = '';
      for (const r of visible) {
        const s = data.steps[r], y = at.get(r), i = lane(s[0]);
        dots[i] = (dots[i] || '') + `M${x(s[0])} ${y}h0`;
        spans[i] = spans[i] ? [spans[i][0], y, x(s[0])] : [y, y, x(s[0])];
        if (s[1] >= 0 && at.has(s[1])) arrows += `M${x(data.steps[s[1]][0])} ${at.get(s[1])}L${x(s[0])} ${y}`;
      }
      svg.setAttribute('height', visible.length * ROW);
      svg.textContent = '';
      const path = (cls, d) => {
        const p = document.createElementNS('http://www.w3.org/2000/svg', 'path');
        p.setAttribute('class', cls);
        p.setAttribute('d', d);
        svg.append(p);
      };
      for (const i in spans) path('lane s' + i % 8, `M${spans[i][2]} ${spans[i][0]}V${spans[i][1]}`);
      path('arrows', arrows);
      for (const i in dots) path('dots s' + i % 8, dots[i]);
    }

    /* Lays out a share of the parts of the table that were not yet in view. */
    function layOut(share) {
      const parts = section.querySelectorAll('.steps tbody:not(.whole)');
      for (let i = 0; i < Math.min(parts.length, share); i++) parts[i].classList.add('whole');
      return parts.length > share;
    }

    function filter() {
      layOut(Infinity); /* what is hidden changes their heights */
      const text = find.value.toLowerCase();
      const hidden = new Set(data.threads.filter((t, i) => !boxes[i].checked).map(t => t.id));
      visible = [];
      rows.forEach((row, i) => {
        const same = i && i < rows.length - 1 && data.steps[i][0] === data.steps[i - 1][0];
        const show = !(fold.checked && same) && !hidden.has(data.steps[i][0]) && (plain.checked || !row.classList.contains('plain')) &&
          (!text || row.textContent.toLowerCase().includes(text));
        row.hidden = !show;
        if (show) visible.push(i);
      });
      draw();
    }

    /* Positions, what is held, what was printed: everything follows from the steps so far. */
    function state() {
      const position = new Map(), held = new Map(), waits = new Map(), queued = new Map();
      let printed = '';
      for (let i = 0; i <= now; i++) {
        const [thread, , file, line, , effect, object] = data.steps[i];
        if (file >= 0) position.set(thread, [file, line]);
        if (i < data.steps.length - 1) waits.delete(thread); /* the last is the failure: nobody has gone on */
        if (effect === 'h') held.set(object, (held.get(object) || new Set()).add(thread));
        if (effect === 'r' && held.has(object)) { held.get(object).delete(thread); if (!held.get(object).size) held.delete(object); }
        if (effect === 'w' || effect === 'c') waits.set(thread, object);
        if (effect === 'c' && held.has(data.steps[i][7])) {
          held.get(data.steps[i][7]).delete(thread);
          if (!held.get(data.steps[i][7]).size) held.delete(data.steps[i][7]);
        }
        if (effect === '+') queued.set(object, (queued.get(object) || 0) + 1);
        if (effect === '-') queued.set(object, Math.max(0, (queued.get(object) || 0) - 1));
        if (effect === 'o') printed += data.objects[object] + '\n';
      }
      waits.forEach((object, thread) => waits.set(thread, 'waits for ' + data.objects[object]));
      if (now === data.steps.length - 1)
        for (const [thread, file, line, words] of data.ends) {
          waits.set(thread, words);
          if (file >= 0) position.set(thread, [file, line]);
        }
      return { position, held, waits, queued, printed };
    }

    function name(thread) { return data.threads.find(t => t.id === thread).name; }

    function showSource(box, s) {
      const mine = s.position.get(data.steps[now][0]);
      if (!mine) return;
      const [file, line] = mine;
      box.append(el('h3', '', sources[file].path));
      if (!sources[file].text) { box.append(el('p', 'dim', 'the source is not here')); return; }
      const view = el('div', 'source mono');
      const marks = new Map();
      s.position.forEach(([f, l], t) => { if (f === file) marks.set(l, (marks.get(l) || []).concat(t)); });
      let here = null;
      const first = Math.max(1, line - 60), last = Math.min(lines[file].length, line + 60);
      for (let l = first; l <= last; l++) {
        const row = el('div');
        row.append(el('span', 'dim', String(l).padStart(5) + '  '), lines[file][l - 1]);
        for (const t of marks.get(l) || []) row.append(el('b', 'i' + lane(t) % 8, '  ◀ ' + name(t)));
        if (marks.has(l)) row.className = 'marked';
        if (l === line) { row.classList.add('here'); here = row; }
        view.append(row);
      }
      box.append(view);
      if (here) view.scrollTop = here.offsetTop - view.offsetTop - 150;
    }

    function list(box, title, items) {
      if (!items.length) return;
      box.append(el('h3', '', title));
      const ul = el('ul', 'mono');
      for (const i of items) ul.append(el('li', '', i));
      box.append(ul);
    }

    function show(scroll) {
      section.querySelectorAll('tr.now').forEach(r => r.classList.remove('now'));
      rows[now].classList.add('now');
      if (scroll) {
        rows[now].style.scrollMarginTop = tools.offsetHeight + 'px'; /* the tools stay on top of it */
        rows[now].scrollIntoView({ block: 'nearest' });
      }
      slider.value = now + 1;
      where.textContent = `${now + 1} of ${rows.length}`;
      const s = state();
      aside.textContent = '';
      aside.append(el('p', 'mono', rows[now].cells[2].textContent + ' ' + rows[now].cells[3].textContent));
      showSource(aside, s);
      list(aside, 'called from', data.steps[now][4].map(f => data.frames[f]));
      list(aside, 'held', [...s.held].map(([o, ts]) => data.objects[o] + ' by ' + [...ts].map(name).join(', ')));
      list(aside, 'who waits', [...s.waits].map(([t, words]) => name(t) + ' ' + words));
      list(aside, 'messages not yet received', [...s.queued].filter(q => q[1]).map(([o, n]) => data.objects[o] + ': ' + n));
      if (s.printed) { aside.append(el('h3', '', 'printed so far')); aside.append(el('pre', '', s.printed)); }
    }

    function move(by) {
      let at = visible.indexOf(now);
      if (at < 0) at = visible.findIndex(i => i > now);
      const to = visible[Math.min(visible.length - 1, Math.max(0, at + by))];
      if (to !== undefined) { now = to; show(true); }
    }
    function jump(to) { now = to; show(true); }

    back.addEventListener('click', () => move(-1));
    next.addEventListener('click', () => move(1));
    slider.addEventListener('input', () => jump(slider.value - 1));
    const table = section.querySelector('.steps table');
    table.addEventListener('click', e => {
      const i = rows.indexOf(e.target.closest('tr'));
      if (i >= 0) { now = i; show(false); }
    });
    table.addEventListener('mouseover', e => {
      const row = e.target.closest('tr'), i = rows.indexOf(row);
      if (i >= 0) row.cells[3].title = row.title = [row.cells[2].innerText + ' ' + row.cells[3].innerText, row.cells[4].innerText,
        ...data.steps[i][4].map(f => 'called from ' + data.frames[f])].filter(t => t).join('\n');
    });
    function follow() {
      const i = rows.findIndex(r => '#' + r.id === location.hash);
      if (i >= 0) jump(i);
    }
    addEventListener('hashchange', follow);
    show(false);
    follow();
    return { layOut, move, first: () => jump(visible[0]), last: () => jump(visible[visible.length - 1]) };
  }

  const all = [...document.querySelectorAll('section.finding')].filter(s => s.querySelector('.steps')).map(s => ({ s, f: finding(s) }));
  /* Once the page is there, and the browser has time, everything is laid out: not all screen readers know of the rest. In
     a few shares, as each makes the browser look at the whole page. */
  const later = window.requestIdleCallback || (f => setTimeout(f, 200));
  const layOut = () => { if (all.map(a => a.f.layOut(12)).includes(true)) later(layOut); };
  addEventListener('load', () => later(layOut));
  addEventListener('keydown', e => {
    if (e.target.type === 'search' || e.ctrlKey || e.altKey || e.metaKey || !all.length) return;
    const middle = innerHeight / 2;
    const one = all.find(a => a.s.getBoundingClientRect().bottom > middle) || all[0];
    const keys = { ArrowDown: () => one.f.move(1), ArrowUp: () => one.f.move(-1), j: () => one.f.move(1), k: () => one.f.move(-1),
      PageDown: () => one.f.move(20), PageUp: () => one.f.move(-20), Home: () => one.f.first(), End: () => one.f.last() };
    if (!keys[e.key] || (e.target.type === 'range' && e.key.startsWith('Arrow'))) return;
    keys[e.key]();
    e.preventDefault();
  });
})();
