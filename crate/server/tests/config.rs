//! What a configuration may say, and what is said about a wrong one.

use std::collections::BTreeSet;
use std::path::Path;
use tandem_server::Config;

const EXAMPLE: &str = include_str!("../tandem-server.example.toml");

fn read(text: &str, variables: &[(&str, &str)]) -> Result<Config, String> {
    let variables = variables.iter().map(|(name, value)| (format!("TANDEM_SERVER__{name}"), (*value).to_owned()));
    Config::read(text, Some(Path::new("t.toml")), variables).map_err(|error| error.to_string())
}

#[test]
fn the_example_is_a_configuration() {
    let config = read(EXAMPLE, &[]).unwrap();
    let proxy = config.proxy.unwrap();
    assert_eq!(proxy.models["small"].aliases, ["default"]);
    assert_eq!(config.data.unwrap().dir, Path::new("data"));
}

/// The sections of the example and the fields each has in the code, as serde lists them for an unknown one.
fn fields_of(section: &str) -> BTreeSet<String> {
    let line = if section.is_empty() { "zzz = 1\n".to_owned() } else { format!("[{section}]\nzzz = 1\n") };
    let error = read(&line, &[]).unwrap_err();
    assert!(error.contains("unknown field `zzz`"), "{section}: {error}");
    error.split('`').skip(3).step_by(2).map(str::to_owned).collect()
}

#[test]
fn the_example_documents_every_key() {
    let mut section = String::new();
    let mut documented = BTreeSet::new();
    let mut before = "";
    for line in EXAMPLE.lines() {
        if let Some(name) = line.strip_prefix('[') {
            section = name.trim_end_matches(']').to_owned();
        } else if let Some((key, _)) = line.split_once(" = ").filter(|_| !line.starts_with('#')) {
            assert!(before.starts_with("# "), "{section}.{key} has no comment above it");
            documented.insert((section.clone(), key.to_owned()));
        }
        before = line;
    }
    let sections = [
        "",
        "listen",
        "site",
        "cors",
        "session",
        "session.studies.pilot",
        "limits",
        "proxy",
        "proxy.caps",
        "proxy.deadlines",
        "proxy.retries",
        "proxy.budgets",
        "proxy.budgets.session",
        "proxy.budgets.day",
        "proxy.budgets.all",
        "proxy.models.small",
        "data",
        "log",
        "metrics",
    ];
    let nested = [
        "listen",
        "site",
        "cors",
        "session",
        "limits",
        "proxy",
        "data",
        "log",
        "metrics",
        "studies",
        "providers",
        "models",
        "caps",
        "deadlines",
        "retries",
        "budgets",
        "session",
        "day",
        "all",
    ];
    let mut checked = 0;
    for section in sections {
        for field in fields_of(section) {
            let is_section =
                nested.contains(&field.as_str()) && EXAMPLE.contains(&format!("[{}", dotted(section, &field)));
            assert!(is_section || documented.contains(&(section.to_owned(), field.clone())), "{section}.{field}");
            checked += 1;
        }
    }
    assert!(checked > 60, "only {checked} fields were found");
    for field in fields_of("proxy.providers.lab") {
        let somewhere = ["lab", "rules", "tape"]
            .iter()
            .any(|one| documented.contains(&(format!("proxy.providers.{one}"), field.clone())));
        assert!(somewhere, "proxy.providers.*.{field}");
    }
}

fn dotted(section: &str, field: &str) -> String {
    if section.is_empty() { field.to_owned() } else { format!("{section}.{field}") }
}

#[test]
fn a_file_of_values_in_force_says_nothing_new() {
    let default = read("", &[]).unwrap();
    assert!(default.proxy.is_none() && default.data.is_none() && default.metrics.is_none() && default.site.is_none());
    assert!(!default.open);
    assert!(default.listen.host.is_loopback());
}

#[test]
fn what_the_example_calls_a_default_is_one() {
    let example = read(EXAMPLE, &[]).unwrap();
    let bare = "[proxy.providers.lab]\nkind = \"upstream\"\nbase_url = \"http://h/v1\"\n[proxy.models.m]\nprovider = \"lab\"\n\
                [data]\ndir = \"d\"";
    let bare = read(bare, &[]).unwrap();
    let (shown, used) = (example.proxy.unwrap(), bare.proxy.unwrap());
    assert_eq!(format!("{:?}", example.listen), format!("{:?}", bare.listen));
    assert_eq!(format!("{:?}", example.limits), format!("{:?}", bare.limits));
    assert_eq!(format!("{:?}", shown.caps), format!("{:?}", used.caps));
    assert_eq!(format!("{:?}", shown.deadlines), format!("{:?}", used.deadlines));
    assert_eq!(format!("{:?}", shown.retries), format!("{:?}", used.retries));
    assert_eq!(shown.budgets.template_tokens, used.budgets.template_tokens);
    assert_eq!(shown.idempotency_seconds, used.idempotency_seconds);
    assert_eq!(example.session.seconds, bare.session.seconds);
    let (shown, used) = (example.data.unwrap(), bare.data.unwrap());
    assert_eq!(
        (shown.chunk_bytes, shown.session_bytes, shown.sessions),
        (used.chunk_bytes, used.session_bytes, used.sessions)
    );
}

#[test]
fn errors_name_line_and_field() {
    let check = |text: &str, expected: &[&str]| {
        let error = read(text, &[]).unwrap_err();
        for part in expected {
            assert!(error.contains(part), "{text}\n  gave {error}\n  without {part}");
        }
    };
    check("open = true\n[listen]\nhost = \"0.0.0.0\"", &["t.toml:1: open: ", "loopback"]);
    check("\n[listen]\nprot = 1", &["t.toml:3: ", "unknown field `prot`", "`port`"]);
    check("[listen]\nport = \"x\"", &["t.toml:2: listen.port: ", "not u16"]);
    check("[listen]\nport = 70000", &["t.toml:2: "]);
    check("a = [", &["t.toml:1: "]);
    check("[session]\nsecret = \"short\"", &["t.toml:2: session.secret: ", "32"]);
    check("[session.studies.\"a/b\"]", &["t.toml:1: session.studies.a/b: ", "plain"]);
    check("[cors]\norigins = [\"*\"]", &["t.toml:2: cors.origins: "]);
    check("[cors]\norigins = [\"null\"]", &["cors.origins: "]);
    check("[cors]\norigins = [\"https://a.org/\"]", &["must be written \"https://a.org\""]);
    check("[cors]\norigins = [\"https://a.org:443\"]", &["must be written \"https://a.org\""]);
    check("[proxy]", &["t.toml:1: proxy.models: "]);
    let provider = "[proxy.providers.a]\nkind = \"upstream\"\nbase_url = \"http://h/v1\"\n";
    check(&format!("{provider}[proxy.models.m]\nprovider = \"b\""), &["t.toml:5: proxy.models.m.provider: ", "(a)"]);
    check(&format!("{provider}script = \"s\"\n[proxy.models.m]\nprovider = \"a\""), &["t.toml:4: ", "script"]);
    check("[proxy.providers.a]\nkind = \"upstream\"\n[proxy.models.m]\nprovider = \"a\"", &["a.base_url: is missing"]);
    check(
        "[proxy.providers.a]\nkind = \"upstream\"\nbase_url = \"ftp://h\"\n[proxy.models.m]\nprovider = \"a\"",
        &["t.toml:3"],
    );
    check(
        &format!("{provider}[proxy.models.m]\nprovider = \"a\"\n[proxy.models.n]\nname = \"m\"\nprovider = \"a\""),
        &["t.toml:7: ", "given twice"],
    );
    check(
        &format!("{provider}[proxy.models.m]\nprovider = \"a\"\n[proxy.budgets.day]\nmoney = 1.0"),
        &["t.toml:7: proxy.budgets.day.money: ", "proxy.models.m has none"],
    );
    check("[data]\ndir = \"d\"\nkey = \"short\"", &["t.toml:3: data.key: "]);
    check("open = true\n[listen]\ntrusted_hops = 1", &["open: "]);
}

#[test]
fn variables_win_over_the_file() {
    let config = read(
        "[listen]\nport = 1\n",
        &[
            ("LISTEN__PORT", "2"),
            ("LISTEN__HOST", "::1"),
            ("OPEN", "true"),
            ("CORS__ORIGINS", "https://a.org,https://b.org:8443"),
            ("SESSION__SECRET", "12345678901234567890123456789012"),
            ("PROXY__PROVIDERS__LAB__KIND", "upstream"),
            ("PROXY__PROVIDERS__LAB__BASE_URL", "https://lab.example.org/v1"),
            ("PROXY__PROVIDERS__LAB__KEY", "true"),
            ("PROXY__MODELS__SMALL__PROVIDER", "lab"),
            ("PROXY__MODELS__SMALL__ALIASES", "[\"a\", \"b\"]"),
            ("PROXY__BUDGETS__ALL__MONEY", "0"),
            ("PROXY__MODELS__SMALL__INPUT_PRICE", "1.5"),
            ("PROXY__MODELS__SMALL__OUTPUT_PRICE", "2"),
            ("DATA__DIR", "somewhere"),
        ],
    )
    .unwrap();
    assert_eq!(config.listen.port, 2);
    assert!(config.open && config.listen.host.is_ipv6());
    assert_eq!(config.cors.origins, ["https://a.org", "https://b.org:8443"]);
    assert!(config.session.secret.unwrap().is("12345678901234567890123456789012"));
    let proxy = config.proxy.unwrap();
    assert!(proxy.providers["lab"].key.as_ref().unwrap().is("true"));
    assert_eq!(proxy.models["small"].aliases, ["a", "b"]);
    assert_eq!(config.data.unwrap().dir, Path::new("somewhere"));
}

#[test]
fn a_wrong_variable_is_named_and_its_value_kept_quiet() {
    let check = |name: &str, value: &str, expected: &str| {
        let error = read("", &[(name, value)]).unwrap_err();
        assert!(error.contains(&format!("TANDEM_SERVER__{name}")) && error.contains(expected), "{error}");
        assert!(!error.contains("sk-secret"), "{error}");
    };
    check("LISTEN__PORT", "sk-secret", "not u16");
    check("LISTEN__PROT", "1", "unknown field");
    check("LISTEN____PORT", "1", "names no field");
    check("OPEN__MORE", "1", "boolean");
}

#[test]
fn no_error_and_no_debug_print_shows_a_key() {
    let config = read(EXAMPLE, &[]).unwrap();
    let shown = format!("{config:?}");
    for key in ["sk-replace-this", "replace-this-by"] {
        assert!(!shown.contains(key));
        let broken = EXAMPLE.replace(&format!("key = \"{key}"), &format!("key = [\"{key}"));
        let error = read(&broken, &[]).unwrap_err();
        assert!(!error.contains(key), "{error}");
    }
}

/// A site needs neither tokens nor secrets, so nothing is to be warned of; what would surprise is.
#[test]
fn warnings_are_of_what_is_used() {
    let warnings = |text: &str| read(text, &[]).unwrap().warnings();
    assert_eq!(warnings("[site]\ndir = \".\"\n"), Vec::<String>::new());
    let of_data = warnings("[data]\ndir = \"data\"\n").join("; ");
    for part in ["session.secret", "session.studies", "data.key"] {
        assert!(of_data.contains(part), "{part}: {of_data}");
    }
}
