//! What the types of the configuration cannot say.

use super::{Budget, Config, ConfigError, Data, Kind, Provider, Proxy};
use crate::names;
use crate::secret::Secret;
use std::collections::BTreeSet;
use std::net::IpAddr;
use tandem_llm::{Cassette, Script};

type Checked = Result<(), ConfigError>;

fn wrong(field: impl Into<String>, what: impl Into<String>) -> Checked {
    Err(ConfigError::new(field, what))
}

impl Config {
    /// Checks it. The command line may change a configuration after it was read; then this wants to be called again.
    pub fn check(&self) -> Checked {
        if self.open && !self.listen.host.is_loopback() {
            let what = format!("needs a loopback address, but listen.host is {}: anybody could call", self.listen.host);
            return wrong("open", what);
        }
        if self.open && self.listen.trusted_hops > 0 {
            return wrong("open", "cannot be with listen.trusted_hops: who is behind a proxy is not on this machine");
        }
        if self.listen.trusted_hops > 16 {
            return wrong("listen.trusted_hops", "must be at most 16");
        }
        at_least_one("listen.request_seconds", self.listen.request_seconds)?;
        at_least_one("listen.connections", self.listen.connections as u64)?;
        for origin in &self.cors.origins {
            check_origin(origin)?;
        }
        self.check_sessions()?;
        let limits = &self.limits;
        at_least_one("limits.session_per_minute", limits.session_per_minute.into())?;
        at_least_one("limits.peer_per_minute", limits.peer_per_minute.into())?;
        at_least_one("limits.sessions_per_minute", limits.sessions_per_minute.into())?;
        at_least_one("limits.session_calls", limits.session_calls.into())?;
        at_least_one("limits.calls", limits.calls.into())?;
        if let Some(proxy) = &self.proxy {
            proxy.check()?;
        }
        if let Some(data) = &self.data {
            data.check()?;
        }
        if let Some(key) = self.metrics.as_ref().and_then(|metrics| metrics.key.as_ref()) {
            long_enough("metrics.key", key, 16)?;
        }
        Ok(())
    }

    fn check_sessions(&self) -> Checked {
        if let Some(secret) = &self.session.secret {
            long_enough("session.secret", secret, 32)?;
        }
        if !(1..=31 * 24 * 60 * 60).contains(&self.session.seconds) {
            return wrong("session.seconds", "must be from 1 second to 31 days");
        }
        for (name, study) in &self.session.studies {
            plain(&format!("session.studies.{name}"), name)?;
            for condition in &study.conditions {
                plain(&format!("session.studies.{name}.conditions"), condition)?;
            }
        }
        Ok(())
    }
}

impl Config {
    /// Reads the files that the proxy will need, and says what is wrong with them.
    pub fn check_files(&self) -> Checked {
        for (name, provider) in self.proxy.iter().flat_map(|proxy| &proxy.providers) {
            let (key, file) = match (&provider.script, &provider.file, &provider.record) {
                (Some(script), ..) => ("script", script),
                (None, Some(file), None) => ("file", file),
                _ => continue,
            };
            let field = format!("proxy.providers.{name}.{key}");
            let text = std::fs::read_to_string(file)
                .map_err(|error| ConfigError::new(&field, format!("{}: {error}", file.display())))?;
            let read = match provider.kind {
                Kind::Scripted => Script::read(&text).map(drop).map_err(|error| error.to_string()),
                _ => Cassette::read(&text).map(drop).map_err(|error| error.to_string()),
            };
            read.map_err(|error| ConfigError::new(&field, format!("{}: {error}", file.display())))?;
        }
        Ok(())
    }

    /// What is allowed and yet perhaps not meant.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        let mut warn = |text: String| warnings.push(text);
        let tokens_matter = self.proxy.is_some() || self.data.is_some();
        if self.open {
            warn("open: anybody who reaches this machine's loopback address calls without a token".to_owned());
        } else if tokens_matter && self.session.secret.is_none() {
            warn("session.secret is left out: tokens end with the process".to_owned());
        }
        if self.session.studies.is_empty() && !self.open && tokens_matter {
            warn("session.studies is empty: nobody is given a session".to_owned());
        }
        if self.data.as_ref().is_some_and(|data| data.key.is_none()) {
            warn("data.key is left out: nobody can read the data over the network".to_owned());
        }
        let Some(proxy) = &self.proxy else { return warnings };
        for (name, provider) in &proxy.providers {
            let url = provider.base_url.as_ref().and_then(|url| reqwest::Url::parse(url).ok());
            let far = url.filter(|url| url.scheme() == "http" && !is_loopback(url));
            if provider.key.is_some() && far.is_some() {
                warn(format!("proxy.providers.{name}.base_url: the key and all prompts travel unencrypted"));
            }
        }
        let all = &proxy.budgets.all;
        let limited = all.requests.is_some() || all.tokens.is_some() || all.money.is_some();
        if proxy.providers.values().any(|one| one.key.is_some()) && !limited {
            warn("proxy.budgets.all is empty: there is no end to what may be spent".to_owned());
        }
        warnings
    }
}

fn is_loopback(url: &reqwest::Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

impl Proxy {
    fn check(&self) -> Checked {
        for (name, provider) in &self.providers {
            self.check_provider(name, provider)?;
        }
        if self.models.is_empty() {
            return wrong("proxy.models", "is empty, so nothing may be asked for; add a section [proxy.models.NAME]");
        }
        let mut names = BTreeSet::new();
        for (section, model) in &self.models {
            let field = |key: &str| format!("proxy.models.{section}.{key}");
            if !self.providers.contains_key(&model.provider) {
                let known: Vec<_> = self.providers.keys().map(String::as_str).collect();
                let what = format!("{:?} is none of the providers ({})", model.provider, known.join(", "));
                return wrong(field("provider"), what);
            }
            for name in model.aliases.iter().chain([model.name.as_ref().unwrap_or(section)]) {
                if name.is_empty() || name.len() > 200 || name.chars().any(char::is_control) {
                    return wrong(field("name"), "names are 1 to 200 bytes without control characters");
                }
                if !names.insert(name.as_str()) {
                    return wrong(field("name"), format!("the name {name:?} is given twice"));
                }
            }
            for (key, price) in [("input_price", model.input_price), ("output_price", model.output_price)] {
                if price.is_some_and(|price| !(0.0..=1e6).contains(&price)) {
                    return wrong(field(key), "must be a price of a million tokens, from 0 to 1000000");
                }
            }
            if model.input_price.is_some() != model.output_price.is_some() {
                return wrong(field("input_price"), "give both prices or neither");
            }
        }
        self.check_caps()?;
        self.check_budgets()
    }

    fn check_provider(&self, name: &str, provider: &Provider) -> Checked {
        let field = |key: &str| format!("proxy.providers.{name}.{key}");
        let given = [
            ("base_url", Kind::Upstream, provider.base_url.is_some()),
            ("key", Kind::Upstream, provider.key.is_some()),
            ("script", Kind::Scripted, provider.script.is_some()),
            ("file", Kind::Cassette, provider.file.is_some()),
            ("record", Kind::Cassette, provider.record.is_some()),
        ];
        for (key, kind, given) in given {
            if given && kind != provider.kind {
                return wrong(field(key), format!("is for the kind {kind:?}, and this is {:?}", provider.kind));
            }
            if !given && kind == provider.kind && matches!(key, "base_url" | "script" | "file") {
                return wrong(field(key), format!("is missing; the kind {kind:?} needs it"));
            }
        }
        if let Some(base_url) = &provider.base_url {
            let Ok(url) = reqwest::Url::parse(base_url) else {
                return wrong(field("base_url"), "is no address, such as http://127.0.0.1:11434/v1");
            };
            if !matches!(url.scheme(), "http" | "https") {
                return wrong(field("base_url"), "must begin with http:// or https://");
            }
            if !url.username().is_empty() || url.password().is_some() || url.query().is_some() {
                return wrong(field("base_url"), "must have neither a password nor a query; keys belong in `key`");
            }
        }
        if let Some(key) = &provider.key
            && (key.expose().is_empty() || !key.expose().bytes().all(|byte| byte.is_ascii_graphic()))
        {
            return wrong(field("key"), "must be ASCII without spaces, and not empty; leave it out if there is none");
        }
        match provider.record.as_ref().map(|other| (other, self.providers.get(other))) {
            Some((_, Some(other))) if other.kind == Kind::Cassette => {
                wrong(field("record"), "must name a provider that is no cassette itself")
            }
            Some((other, None)) => wrong(field("record"), format!("{other:?} is none of the providers")),
            _ => Ok(()),
        }
    }

    fn check_caps(&self) -> Checked {
        let caps = &self.caps;
        at_least_one("proxy.caps.bytes", caps.bytes as u64)?;
        at_least_one("proxy.caps.messages", caps.messages as u64)?;
        at_least_one("proxy.caps.characters", caps.characters as u64)?;
        at_least_one("proxy.caps.max_tokens", caps.max_tokens.into())?;
        at_least_one("proxy.caps.reply_bytes", caps.reply_bytes as u64)?;
        at_least_one("proxy.deadlines.connect", self.deadlines.connect)?;
        at_least_one("proxy.deadlines.first_byte", self.deadlines.first_byte)?;
        at_least_one("proxy.deadlines.idle", self.deadlines.idle)?;
        at_least_one("proxy.deadlines.total", self.deadlines.total)?;
        if !(1..=10).contains(&self.retries.attempts) {
            return wrong("proxy.retries.attempts", "must be from 1 to 10");
        }
        at_least_one("proxy.retries.pause", self.retries.pause)
    }

    fn check_budgets(&self) -> Checked {
        let scopes = [("session", &self.budgets.session), ("day", &self.budgets.day), ("all", &self.budgets.all)];
        for (name, Budget { money, .. }) in scopes {
            let field = format!("proxy.budgets.{name}.money");
            let Some(money) = money else { continue };
            if !(0.0..=1e6).contains(money) {
                return wrong(field, "must be a sum from 0 to 1000000");
            }
            // A model without a price would be free of the limit.
            if let Some((model, _)) = self.models.iter().find(|(_, model)| model.input_price.is_none()) {
                return wrong(field, format!("needs prices for every model, but proxy.models.{model} has none"));
            }
        }
        Ok(())
    }
}

impl Data {
    fn check(&self) -> Checked {
        at_least_one("data.chunk_bytes", self.chunk_bytes as u64)?;
        at_least_one("data.session_bytes", self.session_bytes)?;
        at_least_one("data.sessions", self.sessions as u64)?;
        match &self.key {
            Some(key) => long_enough("data.key", key, 16),
            None => Ok(()),
        }
    }
}

fn at_least_one(field: &str, value: u64) -> Checked {
    if value == 0 { wrong(field, "must be at least 1") } else { Ok(()) }
}

fn plain(field: &str, name: &str) -> Checked {
    if names::is_plain(name) { Ok(()) } else { wrong(field, format!("{name:?} is no plain name: {}", names::RULE)) }
}

fn long_enough(field: &str, key: &Secret, least: usize) -> Checked {
    if key.expose().len() < least {
        return wrong(field, format!("is too short to be safe: at least {least} bytes, drawn by chance"));
    }
    Ok(())
}

/// An origin as a browser sends it, to the letter; anything else would never be equal to one.
fn check_origin(origin: &str) -> Checked {
    let right = reqwest::Url::parse(origin).ok().map(|url| url.origin().ascii_serialization());
    match right {
        Some(right) if right == origin && origin != "null" => Ok(()),
        Some(right) if right != "null" => wrong("cors.origins", format!("{origin:?} must be written {right:?}")),
        _ => wrong("cors.origins", format!("{origin:?} is no origin, such as https://study.example.org")),
    }
}
